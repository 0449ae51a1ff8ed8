import type { Skill, SkillVersion } from '@coherex/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Changes } from '../../change/changes.tsx'
import { useRight } from '../../data/access/rights.ts'
import { useSkillDecide, useSkillDiff, useSkillRestore, useSkillVersions } from '../../data/library/skill.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { OpeningLine } from '../../ui/text/opening-line.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { Decision } from '../approvals/decision.tsx'
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
  /** After an answer of mine. */
  onDecided?: (() => void) | undefined
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

export function VersionDetails({ skill, version, onDecided }: VersionProps) {
  const { name, activeVersion } = skill
  const isProposed = version.state === 'proposed'
  // a proposal is compared with what agents get now
  const from = isProposed ? (activeVersion ?? 0) : version.version - 1
  const diff = useSkillDiff(name, { from, to: version.version })
  return (
    <div className="flex flex-col items-start gap-3 px-4 pt-1 pb-4">
      {isProposed && (
        <Callout tone="warning">
          {version.agent ? 'An agent wrote it. ' : ''}Read it before you approve it: agents will follow its instructions
          and run its scripts. Hidden characters are shown as codes, such as {'<U+200B>'}.
        </Callout>
      )}
      {diff.data ? (
        <div className="w-full">
          <Changes diff={diff.data.diff} label={`What version ${version.version} changes`} />
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
          Open conversation
        </Link>
      )}
      {version.decidedBy && version.decisionNote !== null && (
        <p className="text-small text-muted">
          {version.state} by {version.decidedBy.name}
          {version.decisionNote && `: ${version.decisionNote}`}
        </p>
      )}
      {isProposed ? (
        diff.data && <VersionDecision skill={skill} version={version} onDecided={onDecided} />
      ) : (
        <Restore skill={skill} version={version} />
      )}
    </div>
  )
}

function VersionDecision({ skill: { name }, version: { version, digest }, onDecided }: VersionProps) {
  const right = useRight('editor', 'approve skills')
  const decide = useSkillDecide()
  const act = (decision: 'approve' | 'reject', note = '') =>
    void decide.mutateAsync({ params: { name, version }, body: { decision, digest, note } }).then(
      () => {
        toast({ title: decision === 'approve' ? `Agents now use version ${version}` : 'Rejected' })
        onDecided?.()
      },
      (error: Error) => toast({ title: 'Could not save the decision', description: error.message, tone: 'error' }),
    )
  return (
    <Decision
      approve={`Approve version ${version}`}
      right={right}
      busy={decide.isPending}
      hint="Saved with the version."
      onApprove={() => act('approve')}
      onReject={(note) => act('reject', note)}
    />
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
            onSuccess: (saved) => toast({ title: `Version ${version} is restored as version ${saved.newestVersion}` }),
            onError: (error) =>
              toast({ title: `Could not restore version ${version}`, description: error.message, tone: 'error' }),
          },
        )
      }
    >
      Restore version {version}
    </Button>
  )
}
