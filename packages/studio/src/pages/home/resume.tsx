import type { Sandbox, ThreadSummary, Workspace } from '@coherex/contract'
import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { isSame, thingKinds, thingLink, type Thing, type ThingKind } from '../../shell/recent/things.ts'
import { useThings } from '../../shell/recent/use-things.ts'
import { Card } from '../../ui/card.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'
import { Time } from '../../ui/text/time.tsx'
import { HomeLine } from './home-line.tsx'

const shown = 5

interface ResumeProps {
  workspaces: readonly Workspace[] | undefined
  threads: readonly ThreadSummary[] | undefined
  sandboxes: readonly Sandbox[] | undefined
}

/** What one worked on last: first what this person opened here, then the newest of the team. */
export function Resume({ workspaces = [], threads = [], sandboxes = [] }: ResumeProps) {
  return (
    <div className="grid items-start gap-6 max-md:gap-4 lg:grid-cols-3">
      <ResumeCard
        title="Workspaces"
        all="/workspaces"
        kind="workspace"
        things={workspaces.map(({ id, name, updatedAt }) => ({ id, title: name, at: updatedAt }))}
      >
        No workspace yet. Create one for files that belong together.
      </ResumeCard>
      <ResumeCard
        title="Conversations"
        all="/threads"
        kind="thread"
        things={threads.map(({ id, title, updatedAt }) => ({ id, title: title || 'New conversation', at: updatedAt }))}
      >
        No conversation yet. Ask an agent something.
      </ResumeCard>
      <ResumeCard
        title="Sandboxes"
        all="/sandboxes"
        kind="sandbox"
        things={sandboxes.map(({ id, name, lastUsedAt }) => ({ id, title: name, at: lastUsedAt }))}
      >
        No sandbox yet. Create one to work cell by cell.
      </ResumeCard>
    </div>
  )
}

interface ResumeCardProps {
  title: string
  all: LinkProps['to']
  kind: ThingKind
  things: readonly (Pick<Thing, 'id' | 'title'> & { at: string })[]
  /** What stands there while there is none. */
  children: ReactNode
}

function ResumeCard({ title, all, kind, things, children }: ResumeCardProps) {
  const { recent } = useThings().things
  const Icon = thingKinds[kind].icon
  const visitOf = (id: string) => recent.findIndex((one) => isSame(one, { kind, id }))
  // never visited comes after all that was; the order of each stays
  const sorted = things.toSorted((a, b) => (visitOf(a.id) >>> 0) - (visitOf(b.id) >>> 0))
  return (
    <Card
      flush
      title={title}
      actions={
        <span className="text-dense">
          <TextLink to={all}>
            All<span className="sr-only"> {title.toLowerCase()}</span>
          </TextLink>
        </span>
      }
    >
      {sorted.length === 0 ? (
        <p className="px-5 py-4 text-dense text-muted max-md:px-4">{children}</p>
      ) : (
        <ul>
          {sorted.slice(0, shown).map(({ id, title: name, at }) => (
            <HomeLine key={id} link={thingLink({ kind, id })} icon={<Icon aria-hidden />} end={<Time at={at} />}>
              {name}
            </HomeLine>
          ))}
        </ul>
      )}
    </Card>
  )
}
