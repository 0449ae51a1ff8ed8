// Runs an SQL program: every statement in turn, each result as a table, the last one's rows as the result. Started by the driver.
import type { StartProgram } from '../../../protocol/messages.ts'
import { listen, send } from '../node/channel.ts'
import { createInstance, openEngine } from './engine.ts'
import { countOf, toBundle, toRecords } from './table.ts'

interface SqlStart extends StartProgram {
  memoryMb?: number
}

// what Node and the library themselves need of the sandbox's memory
const overheadMb = 160
const leastMb = 32
const maxResultBytes = 8 * 1024 * 1024

const instance = createInstance()
listen((message) => {
  if (message.type === 'start') void run(message.program)
})
void instance.then(() => send({ type: 'ready' }))

async function run(program: SqlStart): Promise<void> {
  const engine = await openEngine(await instance, {
    directories: [process.cwd()],
    memoryMb: Math.max(leastMb, (program.memoryMb ?? 512) - overheadMb),
    diskMb: Math.floor(program.filesOut.maxBytes / 1024 / 1024 / 2),
  })
  let result: unknown
  for await (const executed of engine.execute(
    program.code,
    program.input === undefined ? undefined : JSON.stringify(program.input),
  )) {
    if ('error' in executed) {
      send({ type: 'error', error: executed.error })
      process.exit(1)
    } else if ('changed' in executed) {
      send({ type: 'output', stream: 'info', text: `${countOf(executed.changed, 'row')} changed` })
      result = undefined
    } else {
      send({ type: 'display', data: toBundle(executed.table, program.outputBytes / 4) })
      result = toRecords(executed.table)
    }
  }
  const isTooLarge = Buffer.byteLength(JSON.stringify(result ?? null)) > maxResultBytes
  if (isTooLarge) {
    const message = 'The result is too large to hand back: write it to a file with COPY'
    send({ type: 'error', error: { kind: 'output', message } })
  } else send(result === undefined ? { type: 'result' } : { type: 'result', value: result })
  process.exit(isTooLarge ? 1 : 0)
}
