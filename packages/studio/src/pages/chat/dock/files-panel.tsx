import type { Thread } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { Files } from 'lucide-react'
import type { ReactNode } from 'react'
import { fileListQuery } from '../../../data/file.ts'
import { useSandbox } from '../../../data/sandbox.ts'
import { workspaceQuery } from '../../../data/workspace.ts'
import { useBeside } from '../../../ui/beside/beside.ts'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { FilesPanel as SandboxFiles } from '../../sandboxes/panels/files-panel.tsx'
import { fileBeside } from './file-viewer.tsx'

/** Where the agent of a conversation works: files of its workspace and of its sandbox. */
export function FilesPanel({ thread: { workspaceId, sandboxId, turnId } }: { thread: Thread }) {
  if (workspaceId === null && sandboxId === null) {
    return (
      <Empty icon={Files} title="No files yet">
        Attach a file, choose a workspace below the message, or ask the agent to run code.
      </Empty>
    )
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col divide-y divide-line">
      {workspaceId !== null && <OfWorkspace id={workspaceId} />}
      {sandboxId !== null && <OfSandbox id={sandboxId} after={turnId ?? 'idle'} />}
    </div>
  )
}

const waiting = <WaitingLines label="Loading the files" className="gap-2 p-4" lines={['h-3 w-40', 'h-3 w-56']} />

function OfWorkspace({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(fileListQuery(id))
  const name = useQuery(workspaceQuery(id)).data?.name ?? 'Workspace'
  const beside = useBeside()
  return (
    <Part
      title={
        <TextLink to="/workspaces/$id" params={{ id }}>
          {name}
        </TextLink>
      }
      kind="Workspace"
    >
      {error && !data ? (
        <ErrorState doing="list the files" error={error} onRetry={() => void refetch()} />
      ) : !data ? (
        waiting
      ) : data.items.length === 0 ? (
        <p className="px-4 py-6 text-center text-dense text-muted">The workspace has no files yet.</p>
      ) : (
        <ul aria-label="Files of the workspace" className="min-h-0 flex-1 overflow-y-auto">
          {data.items.map(({ path }) => (
            <li key={path}>
              <button
                type="button"
                onClick={() => beside?.open(fileBeside(id, path))}
                className="flex min-h-8 w-full items-center px-4 text-left font-mono text-small wrap-anywhere hover:bg-hover focus-visible:-outline-offset-2"
              >
                {path}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Part>
  )
}

function OfSandbox({ id, after }: { id: string; after: string }) {
  const { data, error } = useSandbox(id)
  return (
    <Part
      title={
        <TextLink to="/sandboxes/$id" params={{ id }}>
          {data?.name ?? 'Sandbox'}
        </TextLink>
      }
      kind="Sandbox"
    >
      {data ? (
        <SandboxFiles sandbox={data} after={after} />
      ) : error ? (
        <p className="px-4 py-6 text-center text-dense text-muted">The sandbox was deleted.</p>
      ) : (
        waiting
      )}
    </Part>
  )
}

function Part({ title, kind, children }: { title: ReactNode; kind: string; children: ReactNode }) {
  return (
    <section aria-label={`${kind} files`} className="flex min-h-40 flex-1 flex-col">
      <h3 className="flex h-9 shrink-0 items-center gap-2 border-b border-line px-4 text-dense">
        <span className="min-w-0 truncate">{title}</span>
        <span className="text-small font-normal text-muted">{kind}</span>
      </h3>
      {children}
    </section>
  )
}
