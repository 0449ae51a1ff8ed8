import { useEffect, useEffectEvent, useRef, useState } from 'react'

interface TerminalViewProps {
  id: string
  /** One that runs already; without it, a new shell. */
  process?: number | undefined
  onOpen?: (process: number) => void
  onExit: () => void
}

/** The terminal itself; what draws it is fetched with the first one. */
export function TerminalView({ id, process, onOpen, onExit }: TerminalViewProps) {
  const place = useRef<HTMLDivElement>(null)
  const [failure, setFailure] = useState<string>()
  const exit = useEffectEvent(onExit)
  const opened = useEffectEvent((pid: number) => onOpen?.(pid))

  useEffect(() => {
    let close = () => {}
    let isGone = false
    import('./open-terminal.ts').then(
      ({ openTerminal }) => {
        if (isGone || !place.current) return
        close = openTerminal({ id, process, place: place.current, onOpen: opened, onExit: exit, onLost: setFailure })
      },
      () => setFailure('The terminal could not be loaded.'),
    )
    return () => {
      isGone = true
      close()
    }
  }, [id, process])

  return (
    <div className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface">
      {failure && (
        <p role="alert" className="border-b border-line bg-amber-soft px-4 py-1.5 text-small text-amber">
          {failure}
        </p>
      )}
      <div ref={place} role="group" aria-label="Terminal" className="min-h-0 flex-1 overflow-hidden px-2 py-1" />
    </div>
  )
}
