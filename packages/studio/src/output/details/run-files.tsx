import { formatBytes, type Run } from '@coherex/contract'
import { Download, File } from 'lucide-react'
import { runFileUrl } from '../../data/run/run-file.ts'
import { visibleText } from '../../words/visible-text.ts'

const keptMs = 24 * 3_600_000

/** What the program wrote, to download while it is kept. */
export function RunFiles({ run }: { run: Run }) {
  const gone = run.endedAt !== null && Date.now() - Date.parse(run.endedAt) > keptMs
  if (run.files.length === 0) {
    return (
      <p className="px-4 py-6 text-center text-dense text-muted">
        {run.endedAt ? 'The run wrote no files.' : 'Files the run writes are listed here when it has ended.'}
      </p>
    )
  }
  return (
    <div>
      <ul>
        {run.files.map(({ path, size }) => (
          <li key={path} className="flex min-h-10 items-center gap-2.5 border-b border-line px-4 text-dense">
            <File aria-hidden className="size-4 shrink-0 text-muted" />
            <span className="min-w-0 flex-1 truncate font-mono text-small" title={visibleText(path)}>
              {visibleText(path)}
            </span>
            <span className="text-muted tabular">{formatBytes(size)}</span>
            {!gone && (
              <a
                href={runFileUrl(run.id, path)}
                download
                aria-label={`Download ${visibleText(path)}`}
                className="flex size-8 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-text"
              >
                <Download aria-hidden className="size-4" />
              </a>
            )}
          </li>
        ))}
      </ul>
      <p className="px-4 py-2.5 text-small text-muted">
        {gone ? 'Files are kept for a day; these are gone.' : 'Kept for a day after the run.'}
      </p>
    </div>
  )
}
