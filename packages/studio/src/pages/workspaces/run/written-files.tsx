import { formatBytes } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { Check, Download, Save } from 'lucide-react'
import { useState } from 'react'
import type { Right } from '../../../data/access/rights.ts'
import { readRunFile, runFileUrl } from '../../../data/run/run-file.ts'
import { runQuery } from '../../../data/run/run-get.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { visibleText } from '../../../words/visible-text.ts'
import type { GivenUpload } from '../files/use-upload.ts'
import { FileIcon } from '../tree/file-icon.tsx'

interface WrittenFilesProps {
  runId: string
  taken: ReadonlySet<string>
  mayWrite: Right
  /** Answers the paths that are in the workspace now. */
  onSave: (given: GivenUpload[]) => Promise<string[]>
}

const keptMs = 24 * 3_600_000

/** What the last run wrote and is not in the workspace yet. */
export function WrittenFiles({ runId, taken, mayWrite, onSave }: WrittenFilesProps) {
  const { data: run } = useQuery(runQuery(runId))
  const [saved, setSaved] = useState<ReadonlySet<string>>(new Set())
  const [busy, setBusy] = useState(false)
  const [openedAt] = useState(Date.now)
  const isGone = run?.endedAt != null && openedAt - Date.parse(run.endedAt) > keptMs
  if (!run || run.files.length === 0 || isGone) return null

  async function save(paths: readonly string[]) {
    setBusy(true)
    try {
      const given = await Promise.all(paths.map(async (path) => ({ path, file: await readRunFile(runId, path) })))
      const done = await onSave(given)
      setSaved((before) => new Set([...before, ...done]))
    } catch (error) {
      toast({ title: 'Could not read the files of the run', description: (error as Error).message, tone: 'error' })
    } finally {
      setBusy(false)
    }
  }
  const left = run.files.filter(({ path }) => !saved.has(path))
  return (
    <section aria-label="Written by the last run" className="max-h-[40%] shrink-0 overflow-y-auto border-t border-line">
      <header className="sticky top-0 flex items-start gap-2 bg-canvas py-2 pr-2 pl-4">
        <div className="min-w-0 flex-1">
          <h3 className="text-dense font-semibold">Written by the last run</h3>
          <p className="text-small text-muted">Kept for a day</p>
        </div>
        {mayWrite.may && left.length > 1 && (
          <Button size="small" busy={busy} onClick={() => void save(left.map(({ path }) => path))}>
            Save all
          </Button>
        )}
      </header>
      <ul className="pb-1">
        {run.files.map(({ path, size }) => {
          const name = visibleText(path)
          return (
            <li
              key={path}
              className="mx-1 flex h-8 items-center gap-1.5 rounded-md pr-1 pl-3 text-dense hover:bg-hover"
            >
              <FileIcon path={path} />
              <span className="min-w-0 flex-1 truncate" title={`${name}, ${formatBytes(size)}`}>
                {name}
              </span>
              <a
                href={runFileUrl(runId, path)}
                download
                aria-label={`Download ${name}`}
                className="flex size-7 shrink-0 items-center justify-center rounded-md text-muted hover:bg-pressed hover:text-text"
              >
                <Download aria-hidden className="size-4" />
              </a>
              {saved.has(path) ? (
                <span className="flex items-center gap-1 pr-1 text-small text-green">
                  <Check aria-hidden className="size-3.5" /> Saved
                </span>
              ) : (
                mayWrite.may && (
                  <IconButton
                    label={taken.has(path) ? `Replace ${name} in the workspace` : `Save ${name} to the workspace`}
                    size="small"
                    className="w-7!"
                    busy={busy}
                    icon={<Save aria-hidden />}
                    onClick={() => void save([path])}
                  />
                )
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}
