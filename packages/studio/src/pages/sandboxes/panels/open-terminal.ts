import type { TerminalEvent } from '@coherex/contract'
import { FitAddon } from '@xterm/addon-fit'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'

interface TerminalOptions {
  id: string
  /** A shell that runs already. */
  process?: number | undefined
  place: HTMLElement
  onOpen: (process: number) => void
  onExit: () => void
  onLost: (why: string) => void
}

// more in one message is refused, and a paste may be long
const pieceBytes = 32 * 1024

/** Joins a shell, a new one or one that runs, to a terminal drawn in `place`. Returns how to leave it. */
export function openTerminal({ id, process, place, onOpen, onExit, onLost }: TerminalOptions): () => void {
  const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim()
  const terminal = new Terminal({
    fontFamily: 'JetBrains Mono Variable, JetBrains Mono, monospace',
    fontSize: 12.5,
    cursorBlink: true,
    // what is on the screen is read aloud
    screenReaderMode: true,
    theme: {
      background: colour('--color-surface'),
      foreground: colour('--color-text'),
      cursor: colour('--color-text'),
      selectionBackground: colour('--color-selected'),
    },
  })
  const fit = new FitAddon()
  terminal.loadAddon(fit)
  terminal.open(place)
  fit.fit()
  const { cols: columns, rows } = terminal
  const address = location.origin.replace(/^http/, 'ws')
  const which = process === undefined ? '' : `&process=${process}`
  const query = `columns=${columns}&rows=${rows}&keep=true${which}`
  const socket = new WebSocket(`${address}/api/v1/sandboxes/${id}/terminal?${query}`)
  socket.binaryType = 'arraybuffer'
  const encoder = new TextEncoder()
  let hasEnded = false

  terminal.onData((text) => {
    if (socket.readyState !== WebSocket.OPEN) return
    const bytes = encoder.encode(text)
    for (let from = 0; from < bytes.length; from += pieceBytes) socket.send(bytes.subarray(from, from + pieceBytes))
  })
  terminal.onResize((size) => {
    if (socket.readyState !== WebSocket.OPEN) return
    socket.send(JSON.stringify({ type: 'resize', columns: size.cols, rows: size.rows }))
  })
  socket.onopen = () => terminal.focus()
  socket.onmessage = ({ data }: MessageEvent<string | ArrayBuffer>) => {
    if (typeof data !== 'string') return terminal.write(new Uint8Array(data))
    const event = JSON.parse(data) as TerminalEvent
    if (event.type === 'open') return onOpen(event.process)
    hasEnded = true
    return onExit()
  }
  socket.onclose = () => {
    if (!hasEnded) onLost('Terminal connection lost. Open this panel again to reconnect.')
  }
  const observer = new ResizeObserver(() => fit.fit())
  observer.observe(place)

  return () => {
    hasEnded = true
    observer.disconnect()
    socket.close()
    terminal.dispose()
  }
}
