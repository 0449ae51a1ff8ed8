import type { Sandbox, SandboxProcess } from '@coherex/contract'
import { Play, Square } from 'lucide-react'
import type { FormEvent } from 'react'
import { useRight } from '../../../data/access/rights.ts'
import { useProcessKill, useProcessStart, useSandboxProcesses } from '../../../data/sandbox.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/field/form-error.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Pill, StatusPill } from '../../../ui/pill.tsx'
import { useDraft } from '../../../ui/state/draft.ts'
import { Time } from '../../../ui/text/time.tsx'

/** Commands in the background: those that run and those that ended lately, with their newest output. */
export function ProcessesPanel({ sandbox: { id, status } }: { sandbox: Sandbox }) {
  const { data } = useSandboxProcesses(id)
  const start = useProcessStart()
  const kill = useProcessKill()
  const draft = useDraft(`process.${id}`, { command: '' })
  const right = useRight('editor', 'start commands')
  const may = right.may && status !== 'ended'
  const { command } = draft.value

  function submit(event: FormEvent) {
    event.preventDefault()
    start.mutate({ params: { id }, body: { command } }, { onSuccess: () => draft.forget() })
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <form onSubmit={submit} className="flex shrink-0 items-center gap-2 border-b border-line px-3 py-2">
        <Input
          aria-label="Command"
          placeholder="python3 -m http.server 8000"
          className="h-7! font-mono text-small!"
          value={command}
          disabled={!may}
          onChange={(event) => draft.change({ command: event.target.value })}
        />
        <Button
          type="submit"
          size="small"
          icon={<Play aria-hidden />}
          disabled={!may || command.trim() === ''}
          busy={start.isPending}
        >
          Start
        </Button>
      </form>
      <FormError error={start.error ?? kill.error} />
      <ul aria-label="Processes" className="min-h-0 flex-1 overflow-y-auto">
        {data?.items.toReversed().map((process) => (
          <li key={process.pid} className="border-b border-line px-4 py-2">
            <div className="flex items-center gap-2 text-small">
              <ProcessPill process={process} />
              <code className="min-w-0 flex-1 truncate" title={process.command}>
                {process.command}
              </code>
              <span className="text-muted tabular">{process.pid}</span>
              <Time at={process.startedAt} />
              {!process.exit && may && (
                <IconButton
                  label={`Stop ${process.command}`}
                  size="small"
                  icon={<Square aria-hidden />}
                  onClick={() => kill.mutate({ params: { id, pid: process.pid }, query: {} })}
                />
              )}
            </div>
            {process.recentOutput.length > 0 && (
              <pre
                tabIndex={0}
                aria-label={`Output of ${process.command}`}
                className="mt-1.5 max-h-48 overflow-auto rounded-md bg-sunken px-3 py-2 text-small leading-5 whitespace-pre-wrap"
              >
                {newest(process)}
              </pre>
            )}
          </li>
        ))}
        {data?.items.length === 0 && (
          <li className="px-4 py-6 text-center text-dense text-muted">
            No background processes. Servers you start here appear under Previews.
          </li>
        )}
      </ul>
    </div>
  )
}

function ProcessPill({ process: { exit } }: { process: SandboxProcess }) {
  if (!exit) return <StatusPill status="running" />
  if (exit.code === 0) return <StatusPill status="succeeded" />
  return <Pill tone="red">{exit.signal ?? `exit ${exit.code}`}</Pill>
}

const shownCharacters = 8000
// colours and cursor moves mean nothing here
// oxlint-disable-next-line no-control-regex -- escapes are what is looked for
const controls = /\x1b\[[0-9;?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f]/g

function newest({ recentOutput }: SandboxProcess): string {
  const text = recentOutput.map((piece) => piece.text).join('')
  return text.slice(-shownCharacters).replaceAll(controls, '')
}
