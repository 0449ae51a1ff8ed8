import type { Cell, Sandbox } from '@coherex/contract'
import { Code, Type } from 'lucide-react'
import { useEffect, useRef, useState, type KeyboardEvent, type UIEvent } from 'react'
import { useRight, type Right } from '../../../data/access/rights.ts'
import { Button } from '../../../ui/button.tsx'
import { EndInSight } from '../../../ui/state/end-in-sight.ts'
import { NextCell } from './next-cell.tsx'
import { NotebookCell } from './notebook-cell.tsx'
import { useNotebook, type NotebookActs } from './use-notebook.ts'

/** The cells of a sandbox in their order, and the one that comes next. */
export function Notebook({ sandbox, cells }: { sandbox: Sandbox; cells: readonly Cell[] }) {
  const acts = useNotebook(sandbox, cells)
  const allowed = useRight('editor', 'run cells')
  const hasEnded = sandbox.status === 'ended'
  const right: Right = hasEnded ? { may: false, why: 'The sandbox has ended.' } : allowed
  const list = useRef<HTMLOListElement>(null)
  const [isNextOpen, setNextOpen] = useState(cells.length === 0)
  const [started, setStarted] = useState(0)
  const { scroller, content, onScroll } = useEndInSight(started)

  function goTo(at: number) {
    const cell = cells[at]
    if (!cell) {
      setNextOpen(true)
      acts.setFocused(undefined)
    } else if (acts.isEditing(cell.id)) acts.edit(cell.id)
    else (list.current?.querySelector(`[data-cell="${cell.id}"]`) as HTMLElement | null)?.focus()
  }
  return (
    <div ref={scroller} onScroll={onScroll} className="flex min-h-0 flex-1 flex-col overflow-y-auto bg-canvas">
      <div ref={content} className="flex flex-col px-5 py-3 max-md:px-3">
        <ol ref={list} aria-label="Cells" className="flex flex-col">
          {cells.map((cell, at) => (
            <li
              key={cell.id}
              data-cell={cell.id}
              tabIndex={0}
              className="rounded-lg focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-focus"
              onKeyDown={(event) => right.may && press(event, { cell, acts, cells, goTo })}
            >
              <InsertBar isShown={right.may} onInsert={(kind) => acts.insert(cells[at - 1]?.id ?? null, kind)} />
              <NotebookCell
                sandbox={sandbox}
                cell={cell}
                number={at + 1}
                isLast={at === cells.length - 1}
                acts={acts}
                right={right}
                onNext={() => goTo(at + 1)}
              />
            </li>
          ))}
        </ol>
        {!hasEnded && (
          <>
            <InsertBar isShown={right.may} onInsert={(kind) => acts.insert(cells.at(-1)?.id ?? null, kind)} />
            <NextCell
              sandbox={sandbox}
              right={right}
              isEditing={isNextOpen}
              onEdit={() => setNextOpen(true)}
              onStarted={() => setStarted(started + 1)}
            />
            <p className="pt-2 text-small text-muted max-sm:hidden">
              Ctrl Enter runs a cell, Shift Enter runs it and goes on. Esc leaves the editor; then Enter edits, arrows
              and Alt with arrows move, A and B insert, Delete deletes.
            </p>
          </>
        )}
      </div>
    </div>
  )
}

function InsertBar({ isShown, onInsert }: { isShown: boolean; onInsert: (kind: Cell['kind']) => void }) {
  if (!isShown) return <div className="h-3" />
  return (
    <div className="group/insert flex h-4 items-center justify-center">
      <div className="pointer-events-none z-10 flex gap-1 opacity-0 transition-opacity group-focus-within/insert:pointer-events-auto group-focus-within/insert:opacity-100 group-hover/insert:pointer-events-auto group-hover/insert:opacity-100">
        <Button size="small" className="h-5! text-small!" icon={<Code aria-hidden />} onClick={() => onInsert('code')}>
          Code
        </Button>
        <Button
          size="small"
          className="h-5! text-small!"
          icon={<Type aria-hidden />}
          onClick={() => onInsert('markdown')}
        >
          Text
        </Button>
      </div>
    </div>
  )
}

interface Pressed {
  cell: Cell
  acts: NotebookActs
  cells: readonly Cell[]
  goTo: (at: number) => void
}

/** Keys of a cell that has the focus itself; within its editor only Escape, which leaves it. */
function press(event: KeyboardEvent<HTMLLIElement>, { cell, acts, cells, goTo }: Pressed): void {
  const { key, altKey, ctrlKey, metaKey, shiftKey, currentTarget, target } = event
  const at = cells.indexOf(cell)
  if (target !== currentTarget) {
    if (key === 'Escape' && !event.defaultPrevented) currentTarget.focus()
    return
  }
  const isUp = key === 'ArrowUp' || key === 'k'
  const isDown = key === 'ArrowDown' || key === 'j'
  if (key === 'Enter' && (ctrlKey || metaKey || shiftKey)) {
    if (cell.kind === 'code') acts.run(cell)
    if (shiftKey) goTo(at + 1)
  } else if (ctrlKey || metaKey) return
  else if (key === 'Enter') acts.edit(cell.id)
  else if (altKey && isUp) acts.move(cell, -1)
  else if (altKey && isDown) acts.move(cell, 1)
  else if (isUp) goTo(Math.max(0, at - 1))
  else if (isDown) goTo(at + 1)
  else if (key === 'a') acts.insert(cells[at - 1]?.id ?? null, 'code', cell.language)
  else if (key === 'b') acts.insert(cell.id, 'code', cell.language)
  else if (key === 'Delete') acts.drop(cell)
  else return
  event.preventDefault()
}

/** Once the next cell was run, keeps the end in sight while output comes, until the reader scrolls up. */
function useEndInSight(started: number) {
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLDivElement>(null)
  const [end] = useState(() => new EndInSight())
  useEffect(() => {
    const element = scroller.current
    if (!element || started === 0) return undefined
    end.go(element)
    const observer = new ResizeObserver(() => end.keep(element))
    if (content.current) observer.observe(content.current)
    return () => observer.disconnect()
  }, [end, started])
  const onScroll = ({ currentTarget }: UIEvent<HTMLDivElement>) => end.look(currentTarget)
  return { scroller, content, onScroll }
}
