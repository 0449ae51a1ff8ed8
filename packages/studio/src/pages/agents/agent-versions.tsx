import type { Agent, AgentVersion } from '@coherex/contract'
import { useState } from 'react'
import { useAgentDiff } from '../../data/agent/agent-diff.ts'
import { useAgentRollback } from '../../data/agent/agent-rollback.ts'
import { useAgentVersions } from '../../data/agent/agent-versions.ts'
import { useRight } from '../../shell/rights.ts'
import { Button } from '../../ui/button.tsx'
import { DiffView } from '../../ui/diff-view.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { OpeningLine } from '../../ui/opening-line.tsx'
import { Select } from '../../ui/select.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'

/** Every version of an agent, newest first, with what each changed. */
export function AgentVersions({ agent }: { agent: Agent }) {
  const versions = useAgentVersions(agent.name)
  const [open, setOpen] = useState<number>()
  if (!versions.items) {
    if (versions.error) return <ErrorState doing="load the versions" error={versions.error} />
    return <WaitingLines label="Loading the versions" className="p-4" lines={['h-4']} />
  }
  return (
    <>
      <ol className="flex flex-col">
        {versions.items.map((version) => (
          <VersionLine
            key={version.version}
            agent={agent}
            version={version}
            others={versions.items?.map((other) => other.version) ?? []}
            isOpen={open === version.version}
            onToggle={() => setOpen(open === version.version ? undefined : version.version)}
          />
        ))}
      </ol>
      <LoadMore pages={versions} />
    </>
  )
}

interface VersionLineProps {
  agent: Agent
  version: AgentVersion
  /** Versions to compare it with. */
  others: number[]
  isOpen: boolean
  onToggle: () => void
}

function VersionLine({ agent, version: shown, others, isOpen, onToggle }: VersionLineProps) {
  const { version, note, createdAt, createdBy } = shown
  return (
    <OpeningLine
      isOpen={isOpen}
      onToggle={onToggle}
      at={createdAt}
      line={
        <>
          <span className="font-medium whitespace-nowrap">Version {version}</span>
          <span className="min-w-0 flex-1 truncate text-muted">
            {createdBy.name}
            {note && `: ${note}`}
          </span>
        </>
      }
    >
      <VersionDetails agent={agent} version={version} others={others} />
    </OpeningLine>
  )
}

interface VersionDetailsProps {
  agent: Agent
  version: number
  others: number[]
}

function VersionDetails({ agent, version, others }: VersionDetailsProps) {
  const [from, setFrom] = useState(version - 1)
  const diff = useAgentDiff(agent.name, { from, to: version })
  const restore = useAgentRollback()
  const { may } = useRight('editor', 'change agents')
  const isBefore = from === version - 1
  // the one before may stand on a page that was not loaded
  const choices = [...new Set([...others, version - 1])].filter((other) => other !== version)
  return (
    <div className="flex flex-col items-start gap-3 px-4 pt-1 pb-4">
      {others.length > 1 && (
        <div className="flex items-center gap-2 text-dense text-muted">
          Compared with
          <Select
            label={`Compare version ${version} with`}
            size="small"
            className="w-auto!"
            value={String(from)}
            onChange={(next) => setFrom(Number(next))}
            choices={choices.map((other) => ({
              value: String(other),
              label: other === 0 ? 'nothing' : `version ${other}`,
            }))}
          />
        </div>
      )}
      {from === 0 ? (
        <p className="text-dense text-muted">The first version.</p>
      ) : diff.data ? (
        <div className="w-full">
          {diff.data.diff ? (
            <DiffView
              diff={diff.data.diff}
              label={isBefore ? `What version ${version} changed` : `From version ${from} to version ${version}`}
            />
          ) : (
            <p className="text-dense text-muted">
              The same text as {isBefore ? 'the version before' : `version ${from}`}.
            </p>
          )}
        </div>
      ) : diff.error ? (
        <ErrorState doing="compare the versions" error={diff.error} onRetry={() => void diff.refetch()} />
      ) : null}
      {may && version !== agent.version && (
        <Button
          busy={restore.isPending}
          onClick={() =>
            restore.mutate(
              { params: { name: agent.name, version } },
              {
                onSuccess: (saved) => toast({ title: `Version ${version} is back, as version ${saved.version}` }),
                onError: (error) => toast({ title: 'It was not restored', description: error.message, tone: 'error' }),
              },
            )
          }
        >
          Restore version {version}
        </Button>
      )}
    </div>
  )
}
