import { useQuery } from '@tanstack/react-query'
import { RotateCcw, X } from 'lucide-react'
import { CodeLines } from '../../../change/code-lines.tsx'
import { languageOfPath } from '../../../change/language-of-path.ts'
import type { Right } from '../../../data/access/rights.ts'
import { versionFilesQuery, versionTextQuery } from '../../../data/version.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { ErrorState } from '../../../ui/error-state.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Reason } from '../../../ui/reason.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { useRestore } from './use-restore.ts'

interface VersionViewProps {
  id: string
  number: number
  last: number
  /** The file to show; the first where there is no such at the version. */
  path: string | undefined
  mayWrite: Right
  onPick: (path: string) => void
  onClose: () => void
}

/** The files as they were at a version, and what was in one of them. */
export function VersionView({ id, number, last, path, mayWrite, onPick, onClose }: VersionViewProps) {
  const files = useQuery(versionFilesQuery(id, number))
  const restore = useRestore(id, last)
  const items = files.data?.items ?? []
  const shown = items.find((file) => file.path === path)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex min-h-10 shrink-0 flex-wrap items-center gap-2 border-b border-line bg-canvas py-1 pr-2 pl-4">
        <h2 className="text-dense font-semibold">Files at version {number}</h2>
        <span className="flex-1" />
        <Reason why={mayWrite.why}>
          <Button
            size="small"
            icon={<RotateCcw aria-hidden />}
            disabled={!mayWrite.may}
            onClick={() => restore(number)}
          >
            Restore version {number}
          </Button>
        </Reason>
        <IconButton label="Close version" size="small" icon={<X aria-hidden />} onClick={onClose} />
      </header>
      {files.error ? (
        <ErrorState doing="open the version" error={files.error} onRetry={() => void files.refetch()} />
      ) : (
        <div className="flex min-h-0 flex-1 max-md:flex-col">
          <ul
            aria-label={`Files at version ${number}`}
            className="w-56 shrink-0 overflow-y-auto border-r border-line bg-canvas py-1 max-md:max-h-40 max-md:w-full max-md:border-b"
          >
            {items.map((file) => (
              <li key={file.path}>
                <button
                  type="button"
                  aria-current={file === shown}
                  title={file.path}
                  onClick={() => onPick(file.path)}
                  className={classNames(
                    'block w-full truncate px-4 py-1 text-left text-dense focus-visible:-outline-offset-2 max-md:py-2',
                    file === shown ? 'bg-accent-soft' : 'hover:bg-hover',
                  )}
                >
                  {file.path}
                </button>
              </li>
            ))}
          </ul>
          <div className="min-h-0 min-w-0 flex-1 overflow-y-auto bg-surface">
            {shown ? (
              shown.kind === 'text' ? (
                <VersionText key={shown.path} id={id} number={number} file={shown} />
              ) : (
                <p className="p-4 text-dense text-muted">{shown.path} is not text.</p>
              )
            ) : (
              files.data && (
                <p className="p-4 text-dense text-muted">
                  {path ? `${path} was not there at version ${number}.` : 'Pick a file to see what was in it.'}
                </p>
              )
            )}
          </div>
        </div>
      )}
    </div>
  )
}

function VersionText({ id, number, file }: { id: string; number: number; file: { path: string; hash: string } }) {
  const { data, error, refetch } = useQuery(versionTextQuery(id, number, file))
  if (error) return <ErrorState doing="read the file" error={error} onRetry={() => void refetch()} />
  if (data === undefined)
    return <WaitingLines label="Reading the file" className="p-4" lines={['h-3 w-64', 'h-3 w-40']} />
  return <CodeLines text={data} language={languageOfPath(file.path)} label={`${file.path} at version ${number}`} />
}
