import { loadParts, openFrame } from '../open-frame.ts'
import { bundleImports } from './bundle-imports.ts'
import type { ConsoleLine, Drawing, Drawn } from './drawing.ts'

interface Parts {
  page: string
  /** A script that the page needs before it. */
  library?: string
}

const pages: Record<'mermaid' | 'vega' | 'plotly' | 'html' | 'react', () => Promise<Parts>> = {
  mermaid: () => import('./mermaid-parts.ts'),
  vega: () => import('./vega-parts.ts'),
  plotly: () => import('./plotly-parts.ts'),
  html: () => import('./html-parts.ts'),
  react: () => import('./react-parts.ts'),
}
export type DrawingKind = keyof typeof pages

const drawMs = 20_000
const mostMessages = 500
const streams = ['log', 'info', 'warn', 'error', 'debug'] as const

function toLine({ stream, text }: ConsoleLine): ConsoleLine {
  return { stream: streams.find((one) => one === stream) ?? 'log', text: String(text).slice(0, 2_000) }
}

/** Draws in a frame of no origin within an element; answers its height. The frame is taken away when the signal says so. */
export async function openDrawing(
  kind: DrawingKind,
  drawing: Drawing,
  {
    place,
    signal,
    onLine,
  }: { place: HTMLElement; signal: AbortSignal; onLine?: ((line: ConsoleLine) => void) | undefined },
): Promise<number> {
  const { page, library } = await pages[kind]()
  const parts = await loadParts([...(library ? [library] : []), page], { bytes: 0, onProgress: undefined, signal })
  const source = parts.map((part) => new TextDecoder().decode(part)).join('\n;')
  const packages = kind === 'react' ? await bundleImports(drawing.code, signal) : undefined
  signal.throwIfAborted()
  const frame = await openFrame(kind === 'html' ? '/runtimes/preview' : '/runtimes/page', place)
  frame.className = 'block size-full border-0'
  signal.addEventListener('abort', () => frame.remove())
  if (signal.aborted) frame.remove()
  const { port1, port2 } = new MessageChannel()
  const { promise, resolve, reject } = Promise.withResolvers<number>()
  const timer = setTimeout(() => {
    frame.remove()
    reject(new Error('It took too long to draw.'))
  }, drawMs)
  let heard = 0
  port1.onmessage = ({ data }: MessageEvent<Drawn>) => {
    // code of others is behind it: it is heard so long
    if (++heard > mostMessages) return port1.close()
    if ('line' in data) return onLine?.(toLine(data.line))
    clearTimeout(timer)
    if ('error' in data) reject(new Error(String(data.error).slice(0, 2_000)))
    else resolve(Math.min(800, Math.max(60, Number(data.height) || 0)))
  }
  frame.contentWindow?.postMessage({ source, ...drawing, packages }, '*', [port2])
  return promise
}
