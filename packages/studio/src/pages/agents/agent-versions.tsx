import type { Agent, AgentVersion } from '@coherex/contract'
import { useState } from 'react'
import { Changes } from '../../change/changes.tsx'
import { useRight } from '../../data/access/rights.ts'
import { useAgentDiff, useAgentRollback, useAgentVersions } from '../../data/library/agent.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Select } from '../../ui/field/select.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Pill } from '../../ui/pill.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { OpeningLine } from '../../ui/text/opening-line.tsx'
import { toast } from '../../ui/toast/toast.ts'

const wasInUse = ({ state }: AgentVersion): boolean => state === 'approved' || state === 'draft'

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
            others={versions.items?.filter(wasInUse).map((other) => other.version) ?? []}
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
  /** Versions to compare it with: those that were in use. */
  others: number[]
  isOpen: boolean
  onToggle: () => void
}

function VersionLine({ agent, version: shown, others, isOpen, onToggle }: VersionLineProps) {
  const { version, state, note, agent: author, createdAt, createdBy } = shown
  return (
    <OpeningLine
      isOpen={isOpen}
      onToggle={onToggle}
      at={createdAt}
      line={
        <>
          <span className="font-medium whitespace-nowrap">Version {version}</span>
          {state !== 'approved' && <Pill tone={state === 'rejected' ? 'grey' : 'amber'}>{state}</Pill>}
          <span className="min-w-0 flex-1 truncate text-muted">
            {author ? `${author} for ${createdBy.name}` : createdBy.name}
            {note && `: ${note}`}
          </span>
        </>
      }
    >
      <VersionDetails agent={agent} version={shown} others={others} />
    </OpeningLine>
  )
}

type VersionDetailsProps = Pick<VersionLineProps, 'agent' | 'version' | 'others'>

function VersionDetails({ agent, version: shown, others }: VersionDetailsProps) {
  const { version, state, decidedBy, decisionNote } = shown
  // the one before may stand on a page that was not loaded
  const before = others.find((other) => other < version) ?? version - 1
  const [from, setFrom] = useState(before)
  const diff = useAgentDiff(agent.name, { from, to: version })
  const restore = useAgentRollback()
  const { may } = useRight('editor', 'change agents')
  const isBefore = from === before
  const choices = [...new Set([...others, before])].filter((other) => other !== version)
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
            <Changes
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
      {decidedBy && (
        <p className="text-small text-muted">
          {state === 'rejected' ? 'Rejected' : 'Accepted'} by {decidedBy.name}
          {decisionNote && `: ${decisionNote}`}
        </p>
      )}
      {may && version !== agent.version && wasInUse(shown) && (
        <Button
          busy={restore.isPending}
          onClick={() =>
            restore.mutate(
              { params: { name: agent.name, version } },
              {
                onSuccess: (saved) => toast({ title: `Version ${version} is restored as version ${saved.version}` }),
                onError: (error) =>
                  toast({ title: `Could not restore version ${version}`, description: error.message, tone: 'error' }),
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
