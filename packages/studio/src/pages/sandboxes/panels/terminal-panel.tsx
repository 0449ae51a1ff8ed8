import type { Sandbox } from '@coherex/contract'
import { SquareTerminal } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../../data/rights.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { TerminalView } from './terminal-view.tsx'

/** A shell in the sandbox. It is opened by hand: it wakes one that sleeps, and ends when it is left. */
export function TerminalPanel({ sandbox: { id, status } }: { sandbox: Sandbox }) {
  const [isOpen, setOpen] = useState(false)
  const { may, why } = useRight('editor', 'open a terminal')
  if (isOpen) return <TerminalView id={id} onExit={() => setOpen(false)} />
  return (
    <Empty
      icon={SquareTerminal}
      title="A shell in here"
      action={
        <Button disabled={!may || status === 'ended'} onClick={() => setOpen(true)}>
          Open terminal
        </Button>
      }
    >
      {why ?? 'It ends when you leave this page. Elsewhere: '}
      {may && <code className="select-all">coherex sandbox shell {id}</code>}
    </Empty>
  )
}
