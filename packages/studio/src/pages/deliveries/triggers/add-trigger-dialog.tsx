import type { TriggerEvent } from '@coherex/contract'
import { Pencil, Plus } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useScheduleNext } from '../../../data/library/trigger.ts'
import { Field } from '../../../ui/field/field.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { Segmented } from '../../../ui/field/segmented.tsx'
import { Select } from '../../../ui/field/select.tsx'
import { TextArea } from '../../../ui/field/text-area.tsx'
import { fieldError } from '../../../ui/form/field-error.ts'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useSettled } from '../../../ui/state/use-settled.ts'
import { exactTime } from '../../../words/relative-time.ts'
import { textOf } from '../../definitions/edit-yaml.ts'
import type { TriggerEntry } from './edit-triggers.ts'
import { toCron, type Rhythm } from './schedule-words.ts'

type Kind = 'schedule' | 'webhook' | 'event'
type Signature = 'standard' | 'github' | 'slack'

const kinds: { value: Kind; label: string }[] = [
  { value: 'schedule', label: 'Schedule' },
  { value: 'webhook', label: 'Webhook' },
  { value: 'event', label: 'Event' },
]
const rhythmWords: { value: Rhythm; label: string }[] = [
  { value: 'day', label: 'Every day' },
  { value: 'weekday', label: 'Monday to Friday' },
  { value: 'week', label: 'Every week' },
  { value: 'hour', label: 'Every hour' },
  { value: 'cron', label: 'Custom (cron)' },
]
const settleMs = 300
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
// those that happen already
const events: { value: TriggerEvent; label: string }[] = [
  { value: 'file-changed', label: 'A file changed' },
  { value: 'run-failed', label: 'A run failed' },
]

interface AddTriggerDialogProps {
  /** An agent is given a message, a tool its input. */
  of: 'agent' | 'tool'
  /** The trigger that is changed, as the definition says it. */
  edited?: TriggerEntry | undefined
  onAdd: (trigger: TriggerEntry) => void
  onClose: () => void
}

/** Asks what starts the agent or calls the tool, and gives it as the definition says it. */
export function AddTriggerDialog({ of, edited, onAdd, onClose }: AddTriggerDialogProps) {
  const [kind, setKind] = useState<Kind>(
    () => kinds.find(({ value }) => edited && value in edited)?.value ?? 'schedule',
  )
  const [rhythm, setRhythm] = useState<Rhythm>(edited ? 'cron' : 'weekday')
  const [values, setValues] = useState({
    time: '09:00',
    weekday: '1',
    cron: textOf(edited?.['schedule']) || '0 9 * * 1-5',
    timezone: edited ? textOf(edited['timezone']) : Intl.DateTimeFormat().resolvedOptions().timeZone,
    paths: Array.isArray(edited?.['paths']) ? edited['paths'].join(', ') : '',
    input: of === 'tool' ? jsonOf(edited?.['input']) : textOf(edited?.['input']),
  })
  const [signature, setSignature] = useState<Signature>(
    () => (edited?.['webhook'] as { signature?: Signature } | undefined)?.signature ?? 'standard',
  )
  const [event, setEvent] = useState<TriggerEvent>(
    () => events.find(({ value }) => value === edited?.['event'])?.value ?? 'file-changed',
  )
  const set = (part: Partial<typeof values>) => setValues({ ...values, ...part })
  const text = (name: keyof typeof values) => ({
    value: values[name],
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  })
  const cron = toCron(rhythm, values)
  const timezone = values.timezone.trim()
  const asked = useSettled(JSON.stringify({ schedule: cron, ...(timezone && { timezone }) }), settleMs)
  const next = useScheduleNext(JSON.parse(asked) as { schedule: string }, kind === 'schedule' && cron !== '')

  function submit(submitted: FormEvent) {
    submitted.preventDefault()
    const { paths, input } = values
    const globs = paths.split(/[\s,]+/).filter(Boolean)
    const made = {
      schedule: { schedule: cron, ...(timezone && { timezone }) },
      webhook: { webhook: signature === 'standard' ? {} : { signature } },
      event: { event, ...(event === 'file-changed' && globs.length > 0 && { paths: globs }) },
    }[kind]
    const { name, workspace } = edited ?? {}
    onAdd({
      ...(name !== undefined && { name }),
      ...made,
      ...(workspace !== undefined && { workspace }),
      ...(input.trim() && { input: of === 'tool' ? (JSON.parse(input) as unknown) : input.trim() }),
    })
  }
  return (
    <FormDialog
      title={edited ? 'Edit trigger' : 'Add trigger'}
      description={`${edited ? 'Changes it in' : 'Adds it to'} the definition. It works once you ${of === 'tool' ? 'save and publish the version' : 'save'}.`}
      form={{ submit, busy: false, error: null }}
      action={edited ? 'Change trigger' : 'Add trigger'}
      icon={edited ? <Pencil aria-hidden /> : <Plus aria-hidden />}
      ready={(kind !== 'schedule' || (cron !== '' && !next.error)) && (of === 'agent' || isJson(values.input))}
      onClose={onClose}
    >
      <Segmented label="Kind of trigger" value={kind} choices={kinds} onChange={setKind} />
      {kind === 'schedule' && (
        <>
          <Field label="How often" hint={rhythm === 'cron' ? undefined : `As cron: ${cron}`}>
            <Select value={rhythm} choices={rhythmWords} onChange={setRhythm} />
          </Field>
          {rhythm === 'cron' && (
            <Field label="Cron" hint="Minute, hour, day, month, weekday" error={fieldError(next.error, 'schedule')}>
              <Input className="font-mono" required maxLength={100} {...text('cron')} />
            </Field>
          )}
          {rhythm === 'week' && (
            <Field label="Day">
              <Select
                value={values.weekday}
                choices={weekdays.map((label, index) => ({ value: String(index), label }))}
                onChange={(weekday) => set({ weekday })}
              />
            </Field>
          )}
          {rhythm !== 'cron' && (
            <Field label="Time" hint={rhythm === 'hour' ? 'Only the minutes are used.' : undefined}>
              <Input type="time" required {...text('time')} />
            </Field>
          )}
          <Field
            label="Time zone"
            hint="Such as Europe/Berlin; UTC when empty"
            error={fieldError(next.error, 'timezone')}
          >
            <Input maxLength={64} list="time-zones" {...text('timezone')} />
          </Field>
          <datalist id="time-zones">
            {Intl.supportedValuesOf('timeZone').map((zone) => (
              <option key={zone} value={zone} />
            ))}
          </datalist>
          <NextRuns next={next.error ? undefined : next.data?.next} />
        </>
      )}
      {kind === 'webhook' && (
        <Field label="Signed as" hint="After you save, copy its address and create its secret.">
          <Select
            value={signature}
            choices={[
              { value: 'standard', label: 'Standard Webhooks' },
              { value: 'github', label: 'GitHub' },
              { value: 'slack', label: 'Slack' },
            ]}
            onChange={setSignature}
          />
        </Field>
      )}
      {kind === 'event' && (
        <>
          <Field label="When">
            <Select value={event} choices={events} onChange={setEvent} />
          </Field>
          {event === 'file-changed' && (
            <Field label="Files" hint="Patterns such as docs/**, separated by commas; any file when empty">
              <Input maxLength={2000} {...text('paths')} />
            </Field>
          )}
        </>
      )}
      {of === 'agent' ? (
        <Field label="Message to the agent" hint="The payload comes with it.">
          <TextArea rows={3} maxLength={10_000} {...text('input')} />
        </Field>
      ) : (
        <Field
          label="Input of the tool"
          hint="As JSON; when empty, what was sent is the input."
          error={isJson(values.input) ? undefined : 'This is not valid JSON.'}
        >
          <TextArea rows={3} maxLength={10_000} className="font-mono" spellCheck={false} {...text('input')} />
        </Field>
      )}
    </FormDialog>
  )
}

const jsonOf = (value: unknown) => (value === undefined ? '' : JSON.stringify(value))

function isJson(text: string): boolean {
  if (text.trim() === '') return true
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** The first runs of a schedule; its room is kept while they are asked for. */
function NextRuns({ next }: { next: readonly string[] | undefined }) {
  return (
    <div className="min-h-20 text-dense" aria-live="polite">
      {next && (
        <>
          <h3 className="font-medium">Next runs</h3>
          <ol className="text-small text-muted tabular">
            {next.map((at) => (
              <li key={at}>
                <time dateTime={at}>{exactTime(at)}</time>
              </li>
            ))}
          </ol>
        </>
      )}
    </div>
  )
}
