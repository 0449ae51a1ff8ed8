import type { Skill, SkillVersion } from '@coherex/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useRight } from '../../data/rights.ts'
import { useSkillDecide, useSkillDiff, useSkillRestore, useSkillVersions } from '../../data/skill.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { DiffView } from '../../ui/diff-view.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { OpeningLine } from '../../ui/opening-line.tsx'
import { Reason } from '../../ui/reason.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { SkillStatePill } from './skill-state.tsx'

/** Every version of a skill, newest first: what each changed, and what waits for a decision. */
export function SkillVersions({ skill }: { skill: Skill }) {
  const versions = useSkillVersions(skill.name)
  const waiting = versions.items?.find(({ state }) => state === 'proposed')
  const [chosen, setChosen] = useState<number | 'none'>()
  if (!versions.items) {
    if (versions.error) return <ErrorState doing="load the versions" error={versions.error} />
    return <WaitingLines label="Loading the versions" className="p-4" lines={['h-4']} />
  }
  // a proposal is what one comes for
  const open = chosen ?? waiting?.version
  return (
    <>
      <ol className="flex flex-col">
        {versions.items.map((version) => (
          <VersionLine
            key={version.version}
            skill={skill}
            version={version}
            isOpen={open === version.version}
            onToggle={() => setChosen(open === version.version ? 'none' : version.version)}
          />
        ))}
      </ol>
      <LoadMore pages={versions} />
    </>
  )
}

interface VersionProps {
  skill: Skill
  version: SkillVersion
}

function VersionLine({ skill, version, isOpen, onToggle }: VersionProps & { isOpen: boolean; onToggle: () => void }) {
  const { version: number, state, note, agent, createdBy, createdAt } = version
  return (
    <OpeningLine
      isOpen={isOpen}
      onToggle={onToggle}
      at={createdAt}
      line={
        <>
          <span className="font-medium whitespace-nowrap">Version {number}</span>
          {number === skill.activeVersion ? <SkillStatePill state="active" /> : <SkillStatePill state={state} />}
          <span className="min-w-0 flex-1 truncate text-muted">
            {agent ? `${agent} for ${createdBy.name}` : createdBy.name}
            {note && `: ${note}`}
          </span>
        </>
      }
    >
      <VersionDetails skill={skill} version={version} />
    </OpeningLine>
  )
}

function VersionDetails({ skill, version }: VersionProps) {
  const { name, activeVersion } = skill
  const isProposed = version.state === 'proposed'
  // a proposal is compared with what agents get now
  const from = isProposed ? (activeVersion ?? 0) : version.version - 1
  const diff = useSkillDiff(name, { from, to: version.version })
  return (
    <div className="flex flex-col items-start gap-3 px-4 pt-1 pb-4">
      {isProposed && (
        <Callout tone="warning">
          {version.agent ? 'An agent wrote it. ' : ''}Read it before you approve it: agents will follow its words and
          run its scripts. What cannot be seen stands as its number, such as {'<U+200B>'}.
        </Callout>
      )}
      {diff.data ? (
        <div className="w-full">
          <DiffView diff={diff.data.diff || 'The same files.'} label={`What version ${version.version} changes`} />
        </div>
      ) : diff.error ? (
        <ErrorState doing="compare the versions" error={diff.error} onRetry={() => void diff.refetch()} />
      ) : null}
      {version.threadId && (
        <Link
          to="/threads/$id"
          params={{ id: version.threadId }}
          className="text-dense text-accent-text hover:underline"
        >
          The conversation it comes from
        </Link>
      )}
      {version.decidedBy && version.decisionNote !== null && (
        <p className="text-small text-muted">
          {version.state} by {version.decidedBy.name}
          {version.decisionNote && `: ${version.decisionNote}`}
        </p>
      )}
      {isProposed ? (
        diff.data && <Decision skill={skill} version={version} />
      ) : (
        <Restore skill={skill} version={version} />
      )}
    </div>
  )
}

function Decision({ skill: { name }, version }: VersionProps) {
  const right = useRight('editor', 'approve skills')
  const decide = useSkillDecide()
  const act = (decision: 'approve' | 'reject') =>
    decide.mutate(
      { params: { name, version: version.version }, body: { decision, digest: version.digest } },
      {
        onSuccess: () =>
          toast({ title: decision === 'approve' ? `Agents get version ${version.version}` : 'It is rejected' }),
        onError: (error) => toast({ title: 'Nothing was decided', description: error.message, tone: 'error' }),
      },
    )
  return (
    <Reason why={right.why}>
      <div className="flex gap-2">
        <Button look="primary" disabled={!right.may} busy={decide.isPending} onClick={() => act('approve')}>
          Approve version {version.version}
        </Button>
        <Button disabled={!right.may} busy={decide.isPending} onClick={() => act('reject')}>
          Reject
        </Button>
      </div>
    </Reason>
  )
}

function Restore({ skill: { name, activeVersion }, version: { version } }: VersionProps) {
  const restore = useSkillRestore()
  const { may } = useRight('editor', 'change skills')
  if (!may || version === activeVersion) return null
  return (
    <Button
      busy={restore.isPending}
      onClick={() =>
        restore.mutate(
          { params: { name, version } },
          {
            onSuccess: (saved) => toast({ title: `Version ${version} is back, as version ${saved.newestVersion}` }),
            onError: (error) => toast({ title: 'It was not restored', description: error.message, tone: 'error' }),
          },
        )
      }
    >
      Restore version {version}
    </Button>
  )
}
