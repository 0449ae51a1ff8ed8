import {
  CoherexError,
  type InputRequest,
  type OutputLine,
  type Receipt,
  type Run,
  type RunEvent,
} from '@coherex/contract'
import { hasEnded } from './run.ts'

/** A run while this process holds it: what it has said so far, who listens, and the switch that stops it. */
export class LiveRun {
  readonly teamId: string
  readonly personId: string
  readonly #abort = new AbortController()
  readonly #listeners = new Set<(event: RunEvent, id: number) => void>()
  readonly #ended = Promise.withResolvers<Run>()
  #run: Run
  #answer: ((text: string | undefined) => void) | undefined
  #whyCancelled: string | undefined

  constructor(run: Run, owner: { teamId: string; personId: string }) {
    this.#run = run
    this.teamId = owner.teamId
    this.personId = owner.personId
  }

  get id(): string {
    return this.#run.id
  }

  /** Aborted when someone stops the run. */
  get signal(): AbortSignal {
    return this.#abort.signal
  }

  get run(): Run {
    return this.#run
  }

  /** The run as it was recorded in the end. */
  get ended(): Promise<Run> {
    return this.#ended.promise
  }

  set(change: Partial<Run>): void {
    this.#run = { ...this.#run, ...change }
  }

  route(runtime: Receipt): void {
    this.set({ runtime })
  }

  print(output: OutputLine): void {
    this.#run.output.push(output)
    this.#tell({ type: 'run-output', output }, this.#run.output.length)
  }

  /** Asks whoever watches for a line; undefined when there will be none. */
  ask(request: InputRequest): Promise<string | undefined> {
    if (this.signal.aborted || hasEnded(this.#run)) return Promise.resolve(undefined)
    this.set({ inputRequest: request })
    this.#tell({ type: 'run-input-request', request }, this.#run.output.length)
    return new Promise((resolve) => (this.#answer = resolve))
  }

  /** The line that was asked for, or undefined for the end of input. */
  answer(text: string | undefined): void {
    const answer = this.#answer
    if (!answer) throw new CoherexError('conflict', `Run "${this.id}" waits for no input`)
    this.#answer = undefined
    const { inputRequest: _, ...rest } = this.#run
    this.#run = rest
    answer(text)
  }

  /** `why` is for who looks at it later and did not cancel it. */
  cancel(why?: string): void {
    this.#whyCancelled ??= why
    this.#abort.abort(new Error('cancelled'))
    if (this.#answer) this.answer(undefined)
  }

  /** The end with the reason that was given for it. */
  explain(run: Run): Run {
    if (run.status !== 'cancelled' || this.#whyCancelled === undefined) return run
    return { ...run, error: { kind: 'cancelled', message: this.#whyCancelled } }
  }

  end({ inputRequest: _, ...run }: Run): void {
    this.#run = run
    this.#tell({ type: 'run-end', run }, run.output.length + 1)
    this.#listeners.clear()
    this.#ended.resolve(run)
  }

  /** Hears every event after number `after` (-1 for all), the past ones at once. */
  watch(after: number, listener: (event: RunEvent, id: number) => void): () => void {
    for (const [id, event] of eventsOf(this.#run).entries()) if (id > after) listener(event, id)
    if (hasEnded(this.#run)) return () => undefined
    const { inputRequest, output } = this.#run
    if (inputRequest) listener({ type: 'run-input-request', request: inputRequest }, output.length)
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #tell(event: RunEvent, id: number): void {
    for (const listener of this.#listeners) listener(event, id)
  }
}

/** The events of a run so far. Their numbers are the same whether it is live or read from the store. */
export function eventsOf(run: Run): RunEvent[] {
  const events: RunEvent[] = [{ type: 'run-start', run: { ...run, output: [] } }]
  for (const output of run.output) events.push({ type: 'run-output', output })
  if (hasEnded(run)) events.push({ type: 'run-end', run })
  return events
}
