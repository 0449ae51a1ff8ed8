import { mostOutput, type Outcome, type RunRequest, type TextLine, type WorkerMessage } from './runtime-messages.ts'

type Stream = TextLine['stream']
export type Print = (stream: Stream, text: string) => void

export interface ServedRuntime {
  load(assets: Record<string, ArrayBuffer>): Promise<void> | void
  run(request: RunRequest, print: Print): Promise<Outcome>
}

const betweenMs = 40

/**
 * The worker's side of a session. Whatever the code of a block does to the globals around it later, the port and the clock stay those that
 * were there before.
 */
export function serveRuntime({ load, run }: ServedRuntime): void {
  const scope = globalThis as unknown as { onmessage: ((event: MessageEvent) => void) | null }
  const now = performance.now.bind(performance)
  scope.onmessage = ({ data }: MessageEvent<{ port: MessagePort; assets: Record<string, ArrayBuffer> }>) => {
    scope.onmessage = null
    const { port, assets } = data
    const post: (message: WorkerMessage) => void = port.postMessage.bind(port)
    port.onmessage = ({ data: request }: MessageEvent<RunRequest>) => void answer(request)
    void Promise.resolve(load(assets)).then(
      () => post({ type: 'ready' }),
      (error: unknown) => post({ type: 'broken', message: String(error) }),
    )

    async function answer(request: RunRequest): Promise<void> {
      const began = now()
      const printer = createPrinter(post, () => now() - began, now)
      let outcome: Outcome
      try {
        outcome = await run(request, printer.print)
      } catch (error) {
        outcome = { status: 'failed', error: { kind: 'internal', message: String(error) } }
      }
      printer.flush()
      post({ type: 'end', outcome })
    }
  }
}

/** Gathers lines, so that code that prints much sends few messages, and no more than is kept. */
function createPrinter(post: (message: WorkerMessage) => void, since: () => number, now: () => number) {
  let lines: TextLine[] = []
  let sentAt = now()
  let left: { lines: number; characters: number } = { ...mostOutput }
  let truncated = false
  const flush = () => {
    if (lines.length > 0 || truncated) post({ type: 'output', lines, truncated })
    lines = []
    sentAt = now()
  }
  const print: Print = (stream, given) => {
    if (truncated) return
    const text = given.length > left.characters ? given.slice(0, left.characters) : given
    left = { lines: left.lines - 1, characters: left.characters - text.length }
    truncated = text.length < given.length || left.lines <= 0
    lines.push({ at: Math.round(since()), stream, text })
    if (truncated || lines.length >= 200 || now() - sentAt > betweenMs) flush()
  }
  return { print, flush }
}
