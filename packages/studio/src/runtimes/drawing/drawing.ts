import type { BrowserBundle } from '@coherex/contract'
import { inspect } from '../inspect.ts'

/** What a frame that draws is given, beside the script itself. */
export interface Drawing {
  code: string
  isDark: boolean
  /** Packages that it imports, and why some are not there. */
  packages?: BrowserBundle | undefined
}

/** A line that the code of a preview wrote to its console. */
export interface ConsoleLine {
  stream: 'log' | 'info' | 'warn' | 'error' | 'debug'
  text: string
}

/** What it says: how high the drawing is, or why there is none, or what its console shows. */
export type Drawn = { height: number } | { error: string } | { line: ConsoleLine }

const streams = ['log', 'info', 'warn', 'error', 'debug'] as const

/** The console of the frame, and what nobody caught there, go to the studio. */
export function tellConsole(port: MessagePort): void {
  const post: (drawn: Drawn) => void = port.postMessage.bind(port)
  const tell = (stream: ConsoleLine['stream'], values: unknown[]) =>
    post({ line: { stream, text: values.map(inspect).join(' ').slice(0, 2_000) } })
  for (const stream of streams) console[stream] = (...values: unknown[]) => tell(stream, values)
  addEventListener('error', ({ message }) => tell('error', [message]))
  addEventListener('unhandledrejection', ({ reason }) => tell('error', [reason]))
  addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) =>
    tell('warn', [`The preview has no network: ${effectiveDirective} refused ${blockedURI}`]),
  )
}

/** The frame's side: draws once, then tells. */
export function draw(work: (drawing: Drawing, place: HTMLElement) => Promise<void>): void {
  const given = (globalThis as unknown as { coherexDrawing: Drawing & { port: MessagePort } }).coherexDrawing
  const tell = (drawn: Drawn) => given.port.postMessage(drawn)
  document.documentElement.style.colorScheme = given.isDark ? 'dark' : 'light'
  document.body.style.cssText = `margin: 0; padding: 12px; font: 13px/20px system-ui, sans-serif; color: ${given.isDark ? '#e4e6eb' : '#1b1d22'}`
  const place = document.createElement('div')
  document.body.append(place)
  work(given, place).then(
    () => tell({ height: place.getBoundingClientRect().height + 24 }),
    (error: unknown) => tell({ error: error instanceof Error ? error.message : String(error) }),
  )
}
