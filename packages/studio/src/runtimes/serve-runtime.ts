import { createPrinter, type Output } from './printer.ts'
import type {
  Answer,
  FoundPackages,
  Outcome,
  Question,
  RunRequest,
  ToWorker,
  WorkerMessage,
} from './runtime-messages.ts'

/** What a run can ask the page for. */
export interface Page {
  /** A line that a person types; null where nobody does. */
  ask(prompt: string): Promise<string | null>
  findPackages(modules: string[]): Promise<FoundPackages>
}

export interface ServedRuntime {
  load(assets: Record<string, ArrayBuffer>, page: Page): Promise<void> | void
  run(request: RunRequest, output: Output): Promise<Outcome>
  look?(question: Question): Answer
  /** Bytes that it has taken; nobody knows those of JavaScript's own values. */
  memory?(): number
}

/**
 * The worker's side of a session. Whatever the code of a block does to the globals around it later, the port and the clock stay those that
 * were there before.
 */
export function serveRuntime({ load, run, look, memory }: ServedRuntime): void {
  const scope = globalThis as unknown as Record<string, unknown> & { onmessage: ((event: MessageEvent) => void) | null }
  const now = performance.now.bind(performance)
  scope.onmessage = ({ data }: MessageEvent<{ port: MessagePort; assets: Record<string, ArrayBuffer> }>) => {
    scope.onmessage = null
    // a worker of its own would be another to bound, and nobody reads what is said beside the port
    for (const name of ['Worker', 'SharedWorker']) Reflect.deleteProperty(scope, name)
    scope['postMessage'] = () => undefined
    const { port, assets } = data
    const post: (message: WorkerMessage) => void = port.postMessage.bind(port)
    let answered: ((message: ToWorker) => void) | undefined
    const ask = (message: WorkerMessage) => {
      post(message)
      return new Promise<ToWorker>((resolve) => (answered = resolve))
    }
    const page: Page = {
      async ask(prompt) {
        const message = await ask({ type: 'ask', prompt: prompt.slice(0, 1_000) })
        return message.type === 'input' ? message.text : null
      },
      async findPackages(modules) {
        const message = await ask({ type: 'want', modules: modules.slice(0, 50) })
        return message.type === 'packages' ? message : { files: [], missing: [] }
      },
    }
    port.onmessage = ({ data: message }: MessageEvent<ToWorker>) => {
      if (message.type === 'run') void answer(message)
      else if (message.type === 'look') post({ type: 'seen', answer: safely(message.question) })
      else answered?.(message)
    }
    void Promise.resolve(load(assets, page)).then(
      () => post({ type: 'ready' }),
      (error: unknown) => post({ type: 'broken', message: String(error) }),
    )

    async function answer(request: RunRequest): Promise<void> {
      const began = now()
      const printer = createPrinter(post, () => now() - began, now)
      let outcome: Outcome
      try {
        outcome = await run(request, printer)
      } catch (error) {
        outcome = { status: 'failed', error: { kind: 'internal', message: String(error) } }
      }
      printer.flush()
      const bytes = memory?.()
      if (bytes) outcome = { ...outcome, peakMemoryMb: Math.round((bytes / 1024 / 1024) * 10) / 10 }
      post({ type: 'end', outcome })
    }

    function safely(question: Question): Answer {
      try {
        if (look) return look(question)
      } catch {
        // a value that cannot be looked at, such as one whose getters throw
      }
      return question.about === 'all' ? { variables: [] } : { variable: undefined }
    }
  }
}
