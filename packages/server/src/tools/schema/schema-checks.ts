import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { CoherexError, type SchemaFailure } from '@coherex/contract'
import { compileSchema, type CheckValue } from './compile-schema.ts'
import { weighSchema, type JsonSchema } from './weigh-schema.ts'

export interface HeavyCheck {
  hash: string
  schema: JsonSchema
  value: unknown
}

const mostKept = 1_000
const longestCheckMs = 1_000
/** Schemas are bounded, and were compiled here before. */
const longestCompileMs = 10_000

/** Checks values against schemas, each compiled once. One that could take long is checked in a thread that is ended. */
export function createSchemaChecks({ longestMs = longestCheckMs }: { longestMs?: number } = {}) {
  const known = new Map<string, CheckValue | 'heavy'>()
  const started = new WeakSet<Worker>()
  let thread: Worker | undefined
  let last: Promise<unknown> = Promise.resolve()

  const find = (hash: string, schema: JsonSchema): CheckValue | 'heavy' => {
    const kept = known.get(hash)
    if (kept) {
      // used last, dropped last
      known.delete(hash)
      known.set(hash, kept)
      return kept
    }
    // also when it is heavy, so that a schema that is not valid is told at once
    const check = compileSchema(schema)
    const made = weighSchema(schema).isHeavy ? ('heavy' as const) : check
    known.set(hash, made)
    const [oldest] = known.keys()
    if (known.size > mostKept && oldest !== undefined) known.delete(oldest)
    return made
  }

  const checkInThread = async (asked: HeavyCheck): Promise<SchemaFailure[]> => {
    const worker = (thread ??= startThread())
    worker.ref()
    try {
      // what it takes to start is not the value's fault
      if (!started.has(worker)) await once(worker, 'message')
      started.add(worker)
      const answers = listen(worker)
      worker.postMessage(asked)
      await answers.next(longestCompileMs)
      return (await answers.next(longestMs)) as SchemaFailure[]
    } catch (error) {
      thread = undefined
      await worker.terminate()
      throw refusalOf(error)
    } finally {
      worker.unref()
    }
  }

  return {
    /** Throws where it is no schema that can be kept. */
    admit(schema: JsonSchema): void {
      weighSchema(schema)
      compileSchema(schema)
    },
    /** What is wrong with the value; nothing when it fits. `hash` names the schema. */
    async check(schema: JsonSchema, value: unknown, hash = hashSchema(schema)): Promise<SchemaFailure[]> {
      const found = find(hash, schema)
      if (found !== 'heavy') return found(value)
      // one after the other: the thread has one answer at a time
      const turn = last.then(() => checkInThread({ hash, schema, value }))
      last = turn.catch(() => undefined)
      return turn
    },
    async close(): Promise<void> {
      await last
      await thread?.terminate()
    },
  }
}

export type SchemaChecks = ReturnType<typeof createSchemaChecks>

function hashSchema(schema: JsonSchema): string {
  return createHash('sha256').update(JSON.stringify(schema)).digest('hex')
}

/** What a thread says, one message after the other, each within a time of its own. */
function listen(worker: Worker) {
  const said: unknown[] = []
  const note = (message: unknown) => void said.push(message)
  worker.on('message', note)
  let heard = 0
  return {
    async next(withinMs: number): Promise<unknown> {
      const late = AbortSignal.timeout(withinMs)
      while (said.length <= heard) await once(worker, 'message', { signal: late })
      const message = said[heard++]
      if (heard === 2) worker.off('message', note)
      return message
    },
  }
}

/** What the value and its schema did to the thread is theirs to mend; anything else is not. */
function refusalOf(error: unknown): unknown {
  const { name, code } = error as Error & { code?: unknown }
  if (name === 'AbortError') return refuse('takes too long to check against its schema')
  if (name === 'RangeError') return refuse('cannot be checked against its schema, which refers to itself without end')
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return refuse('takes too much memory to check against its schema')
  return error
}

function refuse(why: string): CoherexError {
  return new CoherexError('invalid_input', `The value ${why}`)
}

function startThread(): Worker {
  return new Worker(new URL('./schema-worker.ts', import.meta.url), {
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  })
}
