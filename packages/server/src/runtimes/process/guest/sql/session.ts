// A session of SQL: cell after cell on one database, whose tables are its variables. SIGINT interrupts the cell.
import type { ToSession } from '../../../protocol/session-messages.ts'
import { listen, send } from '../node/channel.ts'
import { createInstance, type Engine, openEngine } from './engine.ts'
import { countOf, toBundle, toRecords } from './table.ts'
import { describeTables, readTable } from './tables.ts'

// a database that outgrows half of the sandbox spills to its disk: other sessions, and what the database does not count, need the rest
const memoryMb = Math.max(64, Math.floor(Number(process.env['COHEREX_MEMORY_MB'] ?? 512) / 2))
const diskMb = Math.max(16, Math.floor(Number(process.env['COHEREX_DISK_MB'] ?? 512) / 2))
const interruptEveryMs = 20

const opening = createInstance().then((instance) =>
  openEngine(instance, { directories: [process.cwd()], memoryMb, diskMb }),
)
let isInterrupted = false
let isRunning = false
let interrupting: NodeJS.Timeout | undefined
let work: Promise<void> = opening.then(() => send({ type: 'ready' }))

process.on('SIGINT', () => {
  if (!isRunning) return
  isInterrupted = true
  // an interrupt between two statements would be forgotten: it is repeated until the cell is over
  interrupting ??= setInterval(() => void opening.then((engine) => engine.interrupt()), interruptEveryMs)
})

listen((message) => {
  work = work.then(async () => answer(await opening, message as ToSession))
})

async function answer(engine: Engine, message: ToSession): Promise<void> {
  const { type } = message
  if (type === 'cell') return runCell(engine, message)
  if (type === 'variables') send({ type, id: message.id, items: await describeTables(engine) })
  if (type === 'variable') {
    const variable = await readTable(engine, message)
    send({ type, id: message.id, ...(variable && { variable }) })
  }
}

async function runCell(engine: Engine, cell: Extract<ToSession, { type: 'cell' }>): Promise<void> {
  const { id, code, input, outputBytes } = cell
  await untilSignalsAreTold()
  send({ type: 'started', id })
  isRunning = true
  isInterrupted = false
  let left = outputBytes
  let result: unknown
  let hasFailed = false
  for await (const executed of engine.execute(code, input === undefined ? undefined : JSON.stringify(input))) {
    if ('error' in executed) {
      hasFailed = true
      const error = isInterrupted ? { ...executed.error, message: 'The query was interrupted' } : executed.error
      send({ type: 'error', id, error, ...(isInterrupted ? { interrupted: true } : {}) })
      continue
    }
    result = 'table' in executed ? toRecords(executed.table) : undefined
    if (left < 0) continue
    const data = 'table' in executed ? toBundle(executed.table, outputBytes / 4) : undefined
    const text = 'changed' in executed ? `${countOf(executed.changed, 'row')} changed` : ''
    left -= data ? Buffer.byteLength(JSON.stringify(data)) : text.length
    if (left < 0) send({ type: 'cut' })
    else send(data ? { type: 'display', data } : { type: 'output', stream: 'info', text })
  }
  isRunning = false
  clearInterval(interrupting)
  interrupting = undefined
  if (!hasFailed) send(result === undefined ? { type: 'result', id } : { type: 'result', id, value: result })
  send({ type: 'cell-done', id, truncated: left < 0 })
}

/** A signal that came before this cell was meant for the one before, but is told after what the loop has read together with it. */
function untilSignalsAreTold(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
}
