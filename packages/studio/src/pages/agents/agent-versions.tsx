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
  isOpen: boolean
  onToggle: () => void
}

function VersionLine({ agent, version: { version, note, createdAt, createdBy }, isOpen, onToggle }: VersionLineProps) {
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
      <VersionDetails agent={agent} version={version} />
    </OpeningLine>
  )
}

function VersionDetails({ agent, version }: { agent: Agent; version: number }) {
  const diff = useAgentDiff(agent.name, { from: version - 1, to: version })
  const restore = useAgentRollback()
  const { may } = useRight('editor', 'change agents')
  return (
    <div className="flex flex-col items-start gap-3 px-4 pt-1 pb-4">
      {version === 1 ? (
        <p className="text-dense text-muted">The first version.</p>
      ) : diff.data ? (
        <div className="w-full">
          {diff.data.diff ? (
            <DiffView diff={diff.data.diff} label={`What version ${version} changed`} />
          ) : (
            <p className="text-dense text-muted">The same text as the version before.</p>
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
