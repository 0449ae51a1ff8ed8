// A JavaScript or TypeScript session: runs cell after cell on one global object. Started by start.sh.
import { createRequire } from 'node:module'
import { join } from 'node:path'
import process from 'node:process'
import { setInterval } from 'node:timers'
import type { ToSession } from '../../../../protocol/session-messages.ts'
import { fromWire } from '../../../../protocol/value.ts'
import { takeAnswer } from '../../node/calls.ts'
import { listen, send } from '../../node/channel.ts'
import { given } from '../../node/given.ts'
import { hookModules } from '../../node/module-hooks.ts'
import { describeError } from './cell-error.ts'
import type { CellSource } from './cell-source.ts'
import { display, setInput } from './coherex.ts'
import { followSets } from './follow-sets.ts'
import { forwardSyncChildren } from './forward-sync-children.ts'
import { beginInput, takeInput } from './input.ts'
import { forgetInterrupts, onInterrupt, takeInterrupts } from './interrupts.ts'
import { beginOutput, endOutput, takeOutput, write } from './output.ts'
import { Interrupted, OwnPromise, runCell } from './run-cell.ts'
import { describeVariable, hideGlobals, listVariables } from './variables.ts'

type CellMessage = Extract<ToSession, { type: 'cell' }>

const sources = new Map<string, CellSource>()
let isTypeScript = false
let count = 0
/** Fails the cell that runs; absent between cells. */
let stop: ((error: unknown) => void) | undefined
let turn: Promise<void> = Promise.resolve()

takeOutput()
forwardSyncChildren()
offerModules()
takeInterrupts()
process.on('uncaughtException', fail)
process.on('unhandledRejection', fail)
// waiting for the host is what a session does
setInterval(() => {}, 2 ** 30)

listen((message) => {
  if (message.type === 'answer') return takeAnswer(message)
  if (message.type === 'stdin') return takeInput(message.text)
  // one after the other, in the order they came
  turn = turn.then(() => take(message as ToSession))
})
send({ type: 'ready' })

async function take(message: ToSession): Promise<void> {
  switch (message.type) {
    case 'begin':
      isTypeScript = message.language === 'typescript'
      Object.assign(process.env, message.env)
      return
    case 'cell':
      return run(message)
    case 'variables':
      return send({ type: 'variables', id: message.id, items: listVariables() })
    case 'variable':
      return tellVariable(message)
    case 'complete':
    // asked of Python alone
    case 'answer':
    case 'stdin':
    // dealt with as they come: a cell waits for them
  }
}

function tellVariable({ id, name, offset, limit }: Extract<ToSession, { type: 'variable' }>): void {
  const variable = describeVariable(name, offset, limit)
  try {
    send({ type: 'variable', id, ...(variable && { variable }) })
  } catch {
    // a page of many long cells
    send({ type: 'variable', id, ...(variable && { variable: { ...variable, table: undefined } }) })
  }
}

async function run(cell: CellMessage): Promise<void> {
  const { id } = cell
  const name = `Cell ${++count}`
  forgetInterrupts()
  send({ type: 'started', id })
  given.capabilities = cell.capabilities
  given.input = fromWire(cell.input ?? { $: 'undefined' })
  setInput(given.input)
  beginInput(cell)
  beginOutput(cell.outputBytes)
  const stopped = new OwnPromise<never>((_, reject) => {
    stop = reject
  })
  stopped.catch(() => {})
  const stopWatching = onInterrupt(() => stop?.(new Interrupted('The cell was interrupted')))
  try {
    const result = await runCell({
      code: cell.code,
      name,
      isTypeScript,
      onSource: (source) => sources.set(name, source),
      stopped,
    })
    end(id, () => send({ type: 'result', id, ...result }))
  } catch (error) {
    end(id, () => tellError(id, error, name))
  } finally {
    stopWatching()
  }
}

function end(id: number, tell: () => void): void {
  stop = undefined
  const truncated = endOutput()
  tell()
  send({ type: 'cell-done', id, truncated })
}

function tellError(id: number, error: unknown, name: string): void {
  if (error instanceof Interrupted) {
    send({ type: 'error', id, error: { kind: 'runtime', message: 'The cell was interrupted' }, interrupted: true })
  } else send({ type: 'error', id, error: describeError(error, name, sources) })
}

/** What nobody caught is the failure of the cell that runs; between cells it is told to the next. */
function fail(error: unknown): void {
  if (stop) return stop(error)
  const { stack, message } = describeError(error, '', sources)
  write('stderr', `Uncaught ${stack ?? message}\n`)
}

function offerModules(): void {
  // the name it has where it runs, see compile-guest.ts
  const coherex = new URL('./coherex.js', import.meta.url).href
  hookModules({ home: process.cwd(), coherex })
  followSets(process.cwd())
  const require = createRequire(join(process.cwd(), 'cell.js'))
  Object.assign(globalThis, { display, require })
  hideGlobals(['display', 'require'])
}
