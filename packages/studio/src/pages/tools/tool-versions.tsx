import type { Tool, ToolVersion } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { Changes } from '../../change/changes.tsx'
import { useRight } from '../../data/access/rights.ts'
import { toolVersionQuery, useToolDiff, useToolVersions } from '../../data/library/tool.ts'
import { LockDetails } from '../../output/details/lock-details.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { Reason } from '../../ui/reason.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { OpeningLine } from '../../ui/text/opening-line.tsx'
import { ToolReviews } from './publish/tool-reviews.tsx'
import { ToolVersionPill } from './publish/tool-status.tsx'

interface ToolVersionsProps {
  tool: Tool
  /** Asks to publish this version. */
  onPublish: (version: number) => void
}

/** Every version of a tool, newest first: what each changed, what was said of it, and which one callers get. */
export function ToolVersions({ tool, onPublish }: ToolVersionsProps) {
  const versions = useToolVersions(tool.name)
  const [chosen, setChosen] = useState<number>()
  if (!versions.items) {
    if (versions.error) return <ErrorState doing="load the versions" error={versions.error} />
    return <WaitingLines label="Loading the versions" className="p-4" lines={['h-4']} />
  }
  return (
    <>
      <ol className="flex flex-col">
        {versions.items.map((version) => (
          <OpeningLine
            key={version.version}
            isOpen={chosen === version.version}
            onToggle={() => setChosen(chosen === version.version ? undefined : version.version)}
            at={version.createdAt}
            line={
              <>
                <span className="font-medium whitespace-nowrap">Version {version.version}</span>
                <ToolVersionPill version={version} published={tool.version} />
                <span className="min-w-0 flex-1 truncate text-muted">
                  {version.agent ? `${version.agent} for ${version.createdBy.name}` : version.createdBy.name}
                  {notesOf(version) && `: ${notesOf(version)}`}
                </span>
              </>
            }
          >
            <VersionDetails tool={tool} version={version} onPublish={onPublish} />
          </OpeningLine>
        ))}
      </ol>
      <LoadMore pages={versions} />
    </>
  )
}

/** What was said when it was saved, and when it was published. */
function notesOf({ note, decisionNote }: ToolVersion): string {
  return [note, decisionNote].filter((said, index, all) => said && all.indexOf(said) === index).join(' · ')
}

function VersionDetails({ tool, version, onPublish }: ToolVersionsProps & { version: ToolVersion }) {
  const { name, version: published } = tool
  const { version: number } = version
  return (
    <div className="flex flex-col items-start gap-3 px-4 pt-1 pb-4">
      <ToolChanges tool={tool} version={number} />
      <VersionLock name={name} version={number} />
      {version.threadId && (
        <Link
          to="/threads/$id"
          params={{ id: version.threadId }}
          className="text-dense text-accent-text hover:underline"
        >
          Open conversation
        </Link>
      )}
      <ToolReviews name={name} version={version} />
      {number !== published && (
        <PublishButton
          label={
            published !== null && number < published ? `Roll back to version ${number}` : `Publish version ${number}`
          }
          onPress={() => onPublish(number)}
        />
      )}
    </div>
  )
}

/** The packages that every call of a version has. */
function VersionLock({ name, version }: { name: string; version: number }) {
  const { data } = useQuery(toolVersionQuery(name, version))
  return data?.lock ? (
    <div className="w-full max-w-160">
      <LockDetails lock={data.lock} />
    </div>
  ) : null
}

function PublishButton({ label, onPress }: { label: string; onPress: () => void }) {
  const right = useRight('editor', 'publish tools')
  return (
    <Reason why={right.why}>
      <Button disabled={!right.may} onClick={onPress}>
        {label}
      </Button>
    </Reason>
  )
}

/** What a version changed since the one before it. */
export function ToolChanges({ tool: { name }, version }: { tool: Pick<Tool, 'name'>; version: number }) {
  const diff = useToolDiff(name, { from: version - 1, to: version })
  if (diff.error) {
    return <ErrorState doing="compare the versions" error={diff.error} onRetry={() => void diff.refetch()} />
  }
  if (!diff.data) return null
  return (
    <div className="w-full">
      <Changes diff={diff.data.diff} label={`What version ${version} changes`} />
    </div>
  )
}
