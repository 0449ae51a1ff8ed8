import { useQuery } from '@tanstack/react-query'
import { FileX } from 'lucide-react'
import { languageOfPath } from '../../../change/language-of-path.ts'
import { fileListQuery, fileTextQuery, fileUrl } from '../../../data/file.ts'
import { CodeText } from '../../../markdown/code-block.tsx'
import { Markdown } from '../../../markdown/markdown.tsx'
import type { BesideItem } from '../../../ui/beside/beside.ts'
import { Empty } from '../../../ui/empty.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { CopyButton } from '../../../ui/text/copy-button.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'

export const fileBeside = (workspaceId: string, path: string): BesideItem => ({
  key: `file ${workspaceId} ${path}`,
  title: path.split('/').at(-1) ?? path,
  content: <FileViewer workspaceId={workspaceId} path={path} />,
})

/** A file of the workspace as it is now, to be read. */
function FileViewer({ workspaceId: id, path }: { workspaceId: string; path: string }) {
  const list = useQuery(fileListQuery(id))
  const file = list.data?.items.find((one) => one.path === path)
  const text = useQuery({
    ...fileTextQuery(id, file ?? { path, hash: '' }),
    enabled: file !== undefined && file.kind !== 'blob',
  })
  const error = list.error ?? text.error
  return (
    <>
      <div className="flex min-h-9 shrink-0 items-center gap-2 border-b border-line px-3 text-small">
        <span className="min-w-0 flex-1 truncate font-mono" title={path}>
          {path}
        </span>
        {text.data && <CopyButton text={text.data.text} label="Copy file" />}
        {file && (
          <TextLink to="/workspaces/$id" params={{ id }} search={{ file: path }}>
            Open in workspace
          </TextLink>
        )}
      </div>
      {list.data && !file ? (
        <Empty icon={FileX} title="The file is gone">
          {path} was moved or deleted. The history of the workspace has its versions.
        </Empty>
      ) : error && !text.data ? (
        <ErrorState
          doing={`load ${path}`}
          error={error}
          onRetry={() => void list.refetch().then(() => text.refetch())}
        />
      ) : file?.kind === 'blob' ? (
        <Empty
          icon={FileX}
          title="Not text"
          action={
            <a href={fileUrl(id, path)} download>
              Download
            </a>
          }
        >
          Download {path} to look at it.
        </Empty>
      ) : text.data === undefined ? (
        <WaitingLines label="Loading the file" className="gap-2 p-4" lines={['h-3 w-64', 'h-3 w-80', 'h-3 w-48']} />
      ) : path.endsWith('.md') ? (
        <article aria-label={path} className="min-h-0 flex-1 overflow-y-auto px-4 py-3">
          <Markdown text={text.data.text} />
        </article>
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto [&_pre]:max-h-none">
          <CodeText text={text.data.text} language={languageOfPath(path)} label={`Text of ${path}`} />
        </div>
      )}
    </>
  )
}
