import type { Trigger } from '@coherex/contract'
import { CalendarClock, Pencil, Play, Radio, Trash2, Webhook } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../../data/access/rights.ts'
import { ownerOf, useTriggerTest } from '../../../data/library/trigger.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { Reason } from '../../../ui/reason.tsx'
import { CopyField } from '../../../ui/text/copy.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { exactTime } from '../../../words/relative-time.ts'
import { TriggerSecretDialog } from './trigger-secret-dialog.tsx'
import { TriggerTestDialog } from './trigger-test-dialog.tsx'

const icons = { schedule: CalendarClock, webhook: Webhook, event: Radio }
const tones = { active: 'green', paused: 'grey', held: 'amber', unsigned: 'amber', refused: 'red' } as const
const words = {
  active: 'active',
  paused: 'paused',
  held: 'resting',
  unsigned: 'needs a secret',
  refused: 'does not fire',
} as const
const senders = { standard: 'Standard Webhooks', github: 'GitHub', slack: 'Slack' }

interface TriggerCardProps {
  trigger: Trigger
  /** Both change the definition, and are for those who may. */
  onEdit?: (() => void) | undefined
  onRemove?: (() => void) | undefined
}

export function TriggerCard({ trigger, onEdit, onRemove }: TriggerCardProps) {
  const { name, tool, id, kind, status, reason, schedule, webhook, event, actsFor } = trigger
  const Icon = icons[kind]
  const right = useRight('editor', 'test triggers')
  const test = useTriggerTest(ownerOf(trigger).kind)
  const [asked, setAsked] = useState<'secret' | 'payload'>()
  const close = () => setAsked(undefined)
  const fire = (payload?: string) =>
    test.mutate(
      { params: { name: ownerOf(trigger).name, id }, body: payload ? { payload } : {} },
      {
        onSuccess() {
          close()
          toast({ title: `Trigger ${name} fired` })
        },
        onError: (error) => toast({ title: `Could not fire ${name}`, description: error.message, tone: 'error' }),
      },
    )
  return (
    <li className="flex flex-col gap-2 border-b border-line px-4 py-3 text-dense">
      <div className="flex items-center gap-2">
        <Icon aria-hidden className="size-4 text-muted" />
        <h3 className="min-w-0 truncate font-medium">{name}</h3>
        <Pill tone={tones[status]}>{words[status]}</Pill>
        <span className="flex-1" />
        {webhook && (
          <Reason why={right.why}>
            <Button disabled={!right.may} onClick={() => setAsked('secret')}>
              {webhook.secrets.length > 0 ? 'Replace secret' : 'Create secret'}
            </Button>
          </Reason>
        )}
        <Reason why={right.why}>
          <Button
            icon={<Play aria-hidden />}
            aria-label={`Test ${name}`}
            disabled={!right.may}
            busy={test.isPending}
            // a time brings nothing with it
            onClick={() => (kind === 'schedule' ? fire() : setAsked('payload'))}
          >
            Test
          </Button>
        </Reason>
        {onEdit && <IconButton label={`Edit ${name}`} icon={<Pencil aria-hidden />} onClick={onEdit} />}
        {onRemove && <IconButton label={`Remove ${name}`} icon={<Trash2 aria-hidden />} onClick={onRemove} />}
      </div>
      {reason && <p className="text-amber">{reason}</p>}
      {schedule && (
        <div>
          <p>
            <code>{schedule.cron}</code> <span className="text-muted">{schedule.timezone}</span>
          </p>
          {schedule.next.length > 0 && (
            <ol aria-label={`Next runs of ${name}`} className="mt-1 text-small text-muted tabular">
              {schedule.next.map((at) => (
                <li key={at}>
                  <time dateTime={at}>{exactTime(at)}</time>
                </li>
              ))}
            </ol>
          )}
        </div>
      )}
      {webhook && (
        <>
          <CopyField label={`Address of ${name}`} text={webhook.url} />
          <p className="text-small text-muted">Signature: {senders[webhook.signature]}</p>
        </>
      )}
      {event && (
        <p>
          <code>{event.name}</code> <span className="text-muted">{event.paths.join(', ')}</span>
        </p>
      )}
      <p className="text-small text-muted">
        Acts as {actsFor.name}, who {tool === null ? 'saved' : 'published'} this version
      </p>
      {asked === 'secret' && <TriggerSecretDialog trigger={trigger} onClose={close} />}
      {asked === 'payload' && (
        <TriggerTestDialog trigger={trigger} busy={test.isPending} onFire={fire} onClose={close} />
      )}
    </li>
  )
}
