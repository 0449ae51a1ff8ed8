import { languageFacts } from '@coherex/contract'
import { CircleAlert, Code, Play, Square, Type } from 'lucide-react'
import { useMemo, useRef, type KeyboardEvent } from 'react'
import { FetchProgress } from '../../../cell/options/packages/fetch-progress.tsx'
import type { Right } from '../../../data/access/rights.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Reason } from '../../../ui/reason.tsx'
import { keepsVariables } from '../../sandboxes/sandbox-words.ts'
import { SessionBar } from '../run/session-bar.tsx'
import type { Session } from '../run/use-session.ts'
import { FileCell } from './file-cell.tsx'
import { notebookLanguage } from './notebook-language.ts'
import { readNotebook, type CellKind, type NotebookText, type TextCell } from './notebook-text.ts'
import { useNotebookFile, type NotebookFileActs } from './use-notebook-file.ts'

interface NotebookFileProps {
  path: string
  text: string
  /** Undefined where it is only read. */
  live: LiveWorkspace | undefined
  mayWrite: Right
  mayRun: Right
  session: Session
  /** Shows its text, where it cannot be shown as cells. */
  onSource: () => void
}

/** An `.ipynb` file as cells that are edited with others and run in the workspace's session. */
export function NotebookFile({ text, onSource, ...props }: NotebookFileProps) {
  const notebook = useMemo(() => readNotebook(text), [text])
  if (typeof notebook === 'string') {
    return (
      <Empty
        icon={CircleAlert}
        title="Not shown as a notebook"
        action={<Button onClick={onSource}>Show source</Button>}
      >
        {notebook}
      </Empty>
    )
  }
  return <Cells {...props} notebook={notebook} />
}

interface CellsProps extends Omit<NotebookFileProps, 'text' | 'onSource'> {
  notebook: NotebookText
}

function Cells({ notebook, path, live, mayWrite, mayRun, session }: CellsProps) {
  const { cells, languageName } = notebook
  const list = useRef<HTMLOListElement>(null)
  const main = notebookLanguage(languageName)
  const languageOf = ({ languageId }: TextCell) => {
    const language = languageId === undefined ? main : notebookLanguage(languageId)
    return language && keepsVariables(language) ? language : undefined
  }
  const acts = useNotebookFile({ live, path, session, languageOf })
  const may = live ? mayWrite : { may: false, why: mayWrite.why ?? 'Connecting to the workspace.' }
  const runRight = (cell: TextCell): Right => {
    if (!mayRun.may || !may.may) return mayRun.may ? may : mayRun
    if (languageOf(cell)) return mayRun
    const name = cell.languageId ?? (main ? languageFacts[main].name : languageName)
    return { may: false, why: `Cells of ${name} do not run here.` }
  }
  const canRun = mayRun.may && may.may && main !== undefined && keepsVariables(main)

  function goTo(at: number) {
    const cell = cells[at]
    if (!cell) {
      if (may.may) acts.insert(cells.length, 'code')
    } else if (acts.isEditing(cell.key)) acts.edit(cell.key)
    else (list.current?.children[at] as HTMLElement | undefined)?.focus()
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex shrink-0 flex-wrap items-center gap-1 border-b border-line bg-canvas px-3 py-1 text-small">
        {acts.isRunningAll ? (
          <Button size="small" look="danger-quiet" icon={<Square aria-hidden />} onClick={acts.stop}>
            Stop
          </Button>
        ) : (
          <Reason why={canRun ? undefined : (mayRun.why ?? may.why ?? `Cells of ${languageName} do not run here.`)}>
            <Button
              size="small"
              icon={<Play aria-hidden />}
              disabled={!canRun || cells.length === 0}
              onClick={() => void acts.runAll()}
            >
              Run all
            </Button>
          </Reason>
        )}
        {may.may && (
          <>
            <InsertButtons onInsert={(kind) => acts.insert(cells.length, kind)} />
            <Button size="small" look="quiet" disabled={cells.every(isClear)} onClick={acts.clearAll}>
              Clear outputs
            </Button>
          </>
        )}
        <span className="flex-1" />
        <FetchProgress line={session.progress} />
        {session.sandboxId && (
          <SessionBar sandboxId={session.sandboxId} language={main} after={String(session.ended)} />
        )}
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto bg-canvas px-5 py-3 max-md:px-3">
        {cells.length === 0 && (
          <Empty
            icon={Code}
            title="Empty notebook"
            action={may.may && <InsertButtons onInsert={(kind) => acts.insert(0, kind)} />}
          >
            Add a cell of code to run, or of text in Markdown.
          </Empty>
        )}
        <ol ref={list} aria-label="Cells" className="flex flex-col gap-3">
          {cells.map((cell, at) => (
            <li
              key={cell.key}
              tabIndex={0}
              className="rounded-lg focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-focus"
              onKeyDown={(event) =>
                press(event, { cell, at, acts, goTo, mayWrite: may.may, mayRun: runRight(cell).may })
              }
            >
              <FileCell
                path={path}
                cell={cell}
                at={at}
                isLast={at === cells.length - 1}
                language={languageOf(cell) ?? main ?? 'python'}
                acts={acts}
                sandboxId={session.sandboxId}
                mayWrite={may}
                mayRun={runRight(cell)}
                onNext={() => goTo(at + 1)}
              />
            </li>
          ))}
        </ol>
      </div>
    </div>
  )
}

const isClear = ({ kind, outputs, count }: TextCell) => kind !== 'code' || (outputs.length === 0 && count === null)

function InsertButtons({ onInsert }: { onInsert: (kind: CellKind) => void }) {
  return (
    <>
      <Button size="small" look="quiet" icon={<Code aria-hidden />} onClick={() => onInsert('code')}>
        Add code
      </Button>
      <Button size="small" look="quiet" icon={<Type aria-hidden />} onClick={() => onInsert('markdown')}>
        Add text
      </Button>
    </>
  )
}

interface Pressed {
  cell: TextCell
  at: number
  acts: NotebookFileActs
  goTo: (at: number) => void
  mayWrite: boolean
  mayRun: boolean
}

/** Keys of a cell that has the focus itself, as in the notebook of a sandbox; within its editor only Escape, which leaves it. */
function press(event: KeyboardEvent<HTMLLIElement>, { cell, at, acts, goTo, mayWrite, mayRun }: Pressed): void {
  const { key, altKey, ctrlKey, metaKey, shiftKey, currentTarget, target } = event
  if (target !== currentTarget) {
    if (key === 'Escape' && !event.defaultPrevented) currentTarget.focus()
    return
  }
  const by = key === 'ArrowUp' || key === 'k' ? -1 : key === 'ArrowDown' || key === 'j' ? 1 : 0
  if (key === 'Enter' && (ctrlKey || metaKey || shiftKey)) {
    if (mayRun) void acts.run(cell.key)
    if (shiftKey) goTo(at + 1)
  } else if (ctrlKey || metaKey) return
  else if (by !== 0 && altKey) {
    if (mayWrite) acts.move(cell.key, by)
  } else if (by !== 0) goTo(Math.max(0, at + by))
  else if (!mayWrite) return
  else if (key === 'Enter') acts.edit(cell.key)
  else if (key === 'a') acts.insert(at, 'code')
  else if (key === 'b') acts.insert(at + 1, 'code')
  else if (key === 'm') acts.setKind(cell.key, 'markdown')
  else if (key === 'y') acts.setKind(cell.key, 'code')
  else if (key === 'Delete') acts.drop(cell.key)
  else return
  event.preventDefault()
}
