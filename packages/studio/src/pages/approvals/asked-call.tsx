import type { Approval, ApprovalChange } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { CallInput } from '../../change/call-input.tsx'
import { FileChange } from '../../change/file-change.tsx'
import { VisibleText } from '../../change/visible-text.tsx'
import { approvalChangeQuery } from '../../data/approval.ts'
import { readFileText } from '../../data/file.ts'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text/text-link.tsx'
import { Time } from '../../ui/text/time.tsx'

const writing: readonly string[] = ['write_file', 'edit_file', 'move_file', 'delete_file']

/** Exactly what would be done: a change of files against what is there now, code as code, and nothing invisible. */
export function AskedCall({ approval }: { approval: Approval }) {
  const { id, tool, input, status } = approval
  const isWriting = writing.includes(tool) && status === 'pending'
  const { data: change, error } = useQuery({ ...approvalChangeQuery(id), enabled: isWriting })
  if (isWriting && !change && !error) {
    return (
      <Waiting label="Comparing with the file">
        <Skeleton className="h-24 w-full" />
      </Waiting>
    )
  }
  if (change && change.items.length > 0) return <AskedChange tool={tool} change={change} />
  return (
    <>
      {change?.problem && <Failing problem={change.problem} />}
      {error && <Warning>The file cannot be compared with what is there now: {error.message}</Warning>}
      <div className="overflow-clip rounded-md border border-line bg-sunken">
        <CallInput tool={tool} input={input} />
      </div>
    </>
  )
}

function AskedChange({ tool, change }: { tool: string; change: ApprovalChange }) {
  const { workspaceId, items, problem, outcome, changedSince } = change
  return (
    <div className="flex flex-col gap-2">
      {changedSince && (
        <Warning>
          <VisibleText text={`${changedSince.author} changed ${changedSince.path}`} /> <Time at={changedSince.at} />,
          after this was asked. This is what the call would do to the file as it is now.
        </Warning>
      )}
      {outcome === 'proposal' && (
        <Warning>A person changed the same lines: the change would wait as a proposal in the workspace.</Warning>
      )}
      {problem && <Failing problem={problem} />}
      {items.map((item) => (
        <FileChange
          key={item.path}
          {...item}
          isBounded
          actions={
            workspaceId && item.change !== 'added' ? (
              <span className="px-1 text-small">
                <TextLink to="/workspaces/$id" params={{ id: workspaceId }} search={{ file: item.from ?? item.path }}>
                  Open
                </TextLink>
              </span>
            ) : undefined
          }
          whole={
            workspaceId
              ? { side: 'before', read: async () => (await readFileText(workspaceId, item.path)).text }
              : undefined
          }
        />
      ))}
      {tool === 'delete_file' && items.length > 1 && (
        <p className="text-small text-muted">{items.length} files go. Earlier versions keep them.</p>
      )}
    </div>
  )
}

function Failing({ problem }: { problem: string }) {
  return (
    <Warning>
      <VisibleText text={problem} />. The call would fail.
    </Warning>
  )
}

function Warning({ children }: { children: ReactNode }) {
  return (
    <p className="flex items-start gap-2 rounded-md bg-amber-soft px-3 py-1.5 text-dense text-amber">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}
