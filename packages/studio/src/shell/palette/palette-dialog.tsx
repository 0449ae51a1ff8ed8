import { Dialog as Base } from '@base-ui/react/dialog'
import { Search } from 'lucide-react'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import { classNames } from '../../ui/class-names.ts'
import { backdropClass } from '../../ui/dialog/dialog.tsx'
import { Kbd } from '../../ui/text/kbd.tsx'
import type { Command } from './command.ts'

interface PaletteDialogProps {
  /** Read aloud, as the dialog and as its field. */
  label: string
  placeholder: string
  text: string
  onText: (text: string) => void
  /** What fits the text, best first. */
  found: readonly Command[]
  /** Said when nothing fits; undefined while that is not known. */
  empty: string | undefined
  onClose: () => void
}

/** A field and the things to choose from, moved through by keys. */
export function PaletteDialog({ label, placeholder, text, onText, found, empty, onClose }: PaletteDialogProps) {
  const listId = useId()
  const list = useRef<HTMLDivElement>(null)
  const [marked, setMarked] = useState(0)
  const current = Math.min(marked, found.length - 1)

  function run(command: Command | undefined) {
    if (!command) return
    onClose()
    command.run()
  }
  function mark(index: number) {
    setMarked(index)
    list.current?.querySelectorAll('[role=option]')[index]?.scrollIntoView({ block: 'nearest' })
  }
  function press(event: KeyboardEvent) {
    if (event.key === 'Enter') run(found[current])
    else if (event.key === 'ArrowDown') mark((current + 1) % found.length)
    else if (event.key === 'ArrowUp') mark((current - 1 + found.length) % found.length)
    else return
    event.preventDefault()
  }

  return (
    <Base.Root open onOpenChange={(next) => !next && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={backdropClass} />
        <Base.Viewport className="fixed inset-0 z-40 flex items-start justify-center p-4 pt-[12vh] max-md:pt-4">
          <Base.Popup className="flex max-h-full w-full max-w-144 animate-rise flex-col overflow-hidden rounded-lg border border-line bg-raised text-text shadow-float outline-none">
            <Base.Title className="sr-only">{label}</Base.Title>
            <div className="flex items-center gap-2.5 border-b border-line px-4">
              <Search aria-hidden className="size-4 shrink-0 text-muted" />
              <input
                role="combobox"
                aria-label={label}
                aria-expanded
                aria-controls={listId}
                aria-activedescendant={found[current] && `${listId}-${current}`}
                autoFocus
                autoComplete="off"
                spellCheck={false}
                placeholder={placeholder}
                value={text}
                onChange={(event) => {
                  onText(event.target.value)
                  setMarked(0)
                }}
                onKeyDown={press}
                className="h-12 w-full bg-transparent text-body outline-none! max-md:text-lead"
              />
              <Kbd keys="escape" />
            </div>
            <div
              ref={list}
              id={listId}
              role="listbox"
              aria-label="Commands"
              className="min-h-0 flex-1 overflow-y-auto p-2"
            >
              {found.map((command, index) => (
                <Option
                  key={command.id}
                  id={`${listId}-${index}`}
                  command={command}
                  marked={index === current}
                  heading={command.group === found[index - 1]?.group ? undefined : command.group}
                  onMark={() => setMarked(index)}
                  onRun={() => run(command)}
                />
              ))}
            </div>
            {found.length === 0 && empty && (
              <p role="status" className="px-4 pt-2 pb-8 text-center text-dense text-muted">
                {empty}
              </p>
            )}
            <footer className="flex gap-4 border-t border-line bg-sunken px-4 py-2 text-small text-muted max-md:hidden">
              <span>
                <Kbd keys="up down" /> move
              </span>
              <span>
                <Kbd keys="enter" /> choose
              </span>
            </footer>
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}

interface OptionProps {
  id: string
  command: Command
  marked: boolean
  heading: string | undefined
  onMark: () => void
  onRun: () => void
}

function Option({ id, command, marked, heading, onMark, onRun }: OptionProps) {
  const { icon: Icon, label, hint, keys } = command
  return (
    <>
      {heading && (
        <div role="presentation" className="px-2 pt-2 pb-1 text-small text-muted first:pt-0">
          {heading}
        </div>
      )}
      <div
        id={id}
        role="option"
        aria-selected={marked}
        onPointerMove={onMark}
        onClick={onRun}
        className={classNames(
          'flex h-9 items-center gap-2.5 rounded-md px-2 text-dense select-none max-md:h-11',
          marked && 'bg-hover',
        )}
      >
        <Icon aria-hidden className={classNames('size-4 shrink-0', marked ? 'text-accent-text' : 'text-muted')} />
        <span className="max-w-full shrink-0 truncate">{label}</span>
        <span className="min-w-0 flex-1 truncate text-small text-muted">{hint}</span>
        {keys && (
          <span className="max-md:hidden">
            <Kbd keys={keys} />
          </span>
        )}
      </div>
    </>
  )
}
