import type { Sandbox } from '@coherex/contract'
import { Plus, SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../../data/access/rights.ts'
import { useSandboxProcesses } from '../../../data/sandbox.ts'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { Empty } from '../../../ui/empty.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { TerminalView } from './terminal-view.tsx'

interface TerminalsProps {
  sandbox: Sandbox
  /** Opens one at once where there is none. */
  opens?: boolean
}

/** Shells in the sandbox. One that is left goes on for a while, and is shown again with what it printed. */
export function Terminals({ sandbox: { id, status }, opens = false }: TerminalsProps) {
  const right = useRight('editor', 'open a terminal')
  const may = right.may && status !== 'ended'
  const { data } = useSandboxProcesses(id)
  // a shell that is being opened, and its number once it is known
  const [fresh, setFresh] = useState<{ key: number; process?: number }>()
  const [picked, setPicked] = useState<number>()
  const running = (data?.items ?? []).filter((one) => one.isTerminal && !one.exit).map(({ pid }) => pid)
  const shells = fresh?.process === undefined || running.includes(fresh.process) ? running : [...running, fresh.process]
  const shown = fresh ? fresh.process : (shells.find((pid) => pid === picked) ?? shells[0])
  // once, when it is known that there is none to come back to
  const [isFirst, setFirst] = useState(opens)
  if (isFirst && data) {
    setFirst(false)
    if (running.length === 0 && may) setFresh({ key: 0 })
  }
  const open = () => {
    setFresh({ key: Date.now() })
    setPicked(undefined)
  }
  const leave = () => {
    setFresh(undefined)
    setPicked(undefined)
  }
  if (!may || (shown === undefined && !fresh)) {
    return (
      <Empty
        icon={SquareTerminal}
        title="Terminal"
        action={
          <Button disabled={!may} onClick={open}>
            Open terminal
          </Button>
        }
      >
        {right.why ?? 'It keeps running when you leave this page, until the sandbox sleeps. From your own terminal: '}
        {may && <code className="select-all">coherex sandbox shell {id}</code>}
      </Empty>
    )
  }
  return (
    <div className="flex min-h-0 flex-1">
      {fresh ? (
        <TerminalView
          key={`new-${fresh.key}`}
          id={id}
          onOpen={(process) => setFresh({ key: fresh.key, process })}
          onExit={leave}
        />
      ) : (
        <TerminalView key={shown} id={id} process={shown} onExit={leave} />
      )}
      <div
        role="group"
        aria-label="Terminals"
        className="flex w-9 shrink-0 flex-col items-center gap-1 border-l border-line py-1"
      >
        <IconButton label="New terminal" size="small" className="w-7!" icon={<Plus aria-hidden />} onClick={open} />
        {shells.map((pid, at) => (
          <button
            key={pid}
            type="button"
            aria-pressed={pid === shown}
            aria-label={`Terminal ${at + 1}`}
            onClick={() => {
              if (pid === shown) return
              setPicked(pid)
              setFresh(undefined)
            }}
            className={classNames(
              'size-7 rounded-md text-small tabular hover:bg-hover',
              pid === shown ? 'bg-selected text-text' : 'text-muted',
            )}
          >
            {at + 1}
          </button>
        ))}
      </div>
    </div>
  )
}
