import { CoherexError, type Language, type RunError } from '@coherex/contract'
import type { FromSession, ToSession } from '../../protocol/session-messages.ts'
import type {
  Cell,
  CellOptions,
  CellOutcome,
  Completions,
  SessionState,
  Variable,
  VariablePage,
} from '../../sandbox.ts'
import { sessionCommands } from '../sessions/session-commands.ts'
import { KeeperError } from './keeper-link.ts'
import { type CellRun, runCell } from './run-cell.ts'
import type { Session } from './session.ts'

export interface ContextsOptions extends Pick<CellRun, 'memoryMb' | 'memoryKills' | 'peakMemory' | 'denials'> {
  /** A session that takes cells. */
  start(language: Language): Promise<Session>
  /** Whether the sandbox has as many processes as it may. */
  isFull(): boolean
  /** Told when a cell begins or ends. */
  onBusy(isBusy: boolean): void
}

interface Context {
  language: Language
  session: Session | undefined
  status: SessionState['status']
  cells: number
  /** Of cells that wait and the one that runs. */
  tail: Promise<unknown>
  interrupt: (() => void) | undefined
  /** Whoever ran the last cell was told that the session is gone. */
  isLossKnown: boolean
  isReset: boolean
}

const noCompletions: Completions = { prefix: '', items: [] }
const maxContexts = 32
const answerMs = 10_000
const fullNotice = 'the sandbox has no room for another process: reset it to end those that earlier cells left'
const lossNotice = 'The session ended while nothing ran in it: its variables are gone'

/** The sessions of a sandbox by name: one cell at a time in each, several at once in all. */
export class Contexts {
  readonly #options: ContextsOptions
  readonly #contexts = new Map<string, Context>()
  #lastId = 0

  constructor(options: ContextsOptions) {
    this.#options = options
  }

  list(): SessionState[] {
    return [...this.#contexts].map(([context, { language, status, cells }]) => ({ context, language, status, cells }))
  }

  async run(cell: Cell, options: CellOptions): Promise<CellOutcome> {
    if (!sessionCommands[cell.language]) return refused(`There are no sessions of ${cell.language}`)
    const known = this.#contexts.get(cell.context)
    if (known && known.language !== cell.language) {
      return refused(`The context "${cell.context.slice(0, 100)}" holds a session of ${known.language}`)
    }
    if (!known && this.#contexts.size >= maxContexts)
      return refused(`A sandbox has ${maxContexts} contexts at the most`)
    const context = known ?? this.#add(cell)
    const turn = context.tail.then(() => this.#runNow(context, cell, options))
    context.tail = turn.catch(() => {})
    return turn
  }

  interrupt(name: string): boolean {
    const interrupt = this.#contexts.get(name)?.interrupt
    interrupt?.()
    return interrupt !== undefined
  }

  /** A cell that runs ends with its session; those that wait for their turn are cancelled. */
  async reset(name: string): Promise<void> {
    const context = this.#contexts.get(name)
    if (!context) return
    this.#contexts.delete(name)
    context.isReset = true
    context.session?.kill()
    await Promise.all([context.session?.ended, context.tail])
    // one that was starting meanwhile
    context.session?.kill()
    await context.session?.ended
  }

  async variables(name: string): Promise<Variable[]> {
    const answer = await this.#ask(name, (id) => ({ type: 'variables', id }))
    return answer?.type === 'variables' ? answer.items : []
  }

  async variable(name: string, variable: string, page: { offset: number; limit: number }) {
    const answer = await this.#ask(name, (id) => ({ type: 'variable', id, name: variable, ...page }))
    return answer?.type === 'variable' ? (answer.variable satisfies VariablePage | undefined) : undefined
  }

  /** What could follow at the end of a text, by what the session holds. */
  async complete(name: string, code: string): Promise<Completions> {
    // the drivers of other languages do not know the question
    if (this.#contexts.get(name)?.language !== 'python') return noCompletions
    const answer = await this.#ask(name, (id) => ({ type: 'complete', id, code }))
    return answer?.type === 'complete' ? { prefix: answer.prefix, items: answer.items } : noCompletions
  }

  #add({ context: name, language }: Cell): Context {
    const context: Context = {
      language,
      session: undefined,
      status: 'idle',
      cells: 0,
      tail: Promise.resolve(),
      interrupt: undefined,
      isLossKnown: false,
      isReset: false,
    }
    this.#contexts.set(name, context)
    return context
  }

  async #runNow(context: Context, cell: Cell, options: CellOptions): Promise<CellOutcome> {
    const wasThere = context.session !== undefined
    let hasBegun = false
    const onStart = () => {
      hasBegun = true
      options.onStart()
    }
    const outcome = await this.#runOnce(context, cell, { ...options, onStart })
    // the session had died and nobody knew: nothing of the cell has run, so that it may run in the next one
    if (!wasThere || hasBegun || !outcome.sessionLost || outcome.status !== 'failed') return outcome
    context.isLossKnown = false
    return this.#runOnce(context, cell, options)
  }

  async #runOnce(context: Context, cell: Cell, options: CellOptions): Promise<CellOutcome> {
    if (options.signal.aborted || context.isReset) return cancelledBefore()
    this.#options.onBusy(true)
    try {
      if (!context.session || context.session.isGone) {
        // it ended between two cells, when there was nobody to tell
        const wasLost = context.session !== undefined && !context.isLossKnown
        if (wasLost) options.onOutput({ at: 0, stream: 'warn', text: lossNotice })
        context.isLossKnown = false
        context.status = 'starting'
        context.cells = 0
        context.session = await this.#options.start(context.language)
      }
      if (options.signal.aborted) return cancelledBefore()
      context.status = 'running'
      context.cells++
      const outcome = await runCell({
        ...this.#options,
        id: ++this.#lastId,
        session: context.session,
        cell,
        options,
        onRunning: (interrupt) => (context.interrupt = interrupt),
      })
      context.isLossKnown = outcome.sessionLost
      return this.#options.isFull() ? withFullness(outcome) : outcome
    } catch (error) {
      // the sandbox is full of its own processes: whoever fills it is told, and it lives on
      if (error instanceof KeeperError && error.code === 'EAGAIN') {
        return withFullness(refused('The session could not start', 'runtime'))
      }
      throw error
    } finally {
      context.interrupt = undefined
      context.status = 'idle'
      this.#options.onBusy(false)
    }
  }

  /** A question to a session that is idle; undefined where there is none. */
  async #ask(name: string, question: (id: number) => ToSession): Promise<FromSession | undefined> {
    const context = this.#contexts.get(name)
    if (context && context.status !== 'idle') {
      throw new CoherexError('conflict', 'Cannot look at the variables: a cell is running')
    }
    const session = context?.session
    if (!context || !session || session.isGone) return undefined
    const id = ++this.#lastId
    const turn = context.tail.then(() => askSession(session, id, question(id)))
    context.tail = turn.catch(() => {})
    return turn
  }
}

function askSession(session: Session, id: number, question: ToSession): Promise<FromSession | undefined> {
  return new Promise<FromSession | undefined>((resolve, reject) => {
    const settle = (answer: FromSession | undefined) => {
      clearTimeout(timer)
      session.listen(undefined)
      resolve(answer)
    }
    // a value may take for ever to describe itself
    const timer = setTimeout(() => {
      session.interrupt()
      session.listen(undefined)
      reject(new CoherexError('unavailable', 'Cannot look at the variables: the session does not answer'))
    }, answerMs)
    session.listen({
      onMessage(message) {
        const { type } = message
        const isAnswer = type === 'variables' || type === 'variable' || type === 'complete'
        if (isAnswer && message.id === id) settle(message)
      },
      onBroken: () => settle(undefined),
    })
    void session.ended.then(() => settle(undefined))
    session.send(question)
  })
}

function refused(message: string, kind: RunError['kind'] = 'validation'): CellOutcome {
  return { status: 'failed', error: { kind, message }, ...nothing }
}

/** Tells who is stopped by it why nothing starts, and what helps. */
function withFullness(outcome: CellOutcome): CellOutcome {
  const { error } = outcome
  const message = `${error?.message ?? ''}; ${fullNotice}`
  return { ...outcome, ...(error && { error: { ...error, message } }), isFull: true }
}

function cancelledBefore(): CellOutcome {
  return { status: 'cancelled', error: { kind: 'cancelled', message: 'The cell was cancelled' }, ...nothing }
}

const nothing = { truncated: false, durationMs: 0, peakMemoryMb: null, signs: [], sessionLost: false }
