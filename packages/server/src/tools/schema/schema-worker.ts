import { parentPort } from 'node:worker_threads'
import { compileSchema, type CheckValue } from './compile-schema.ts'
import type { HeavyCheck } from './schema-checks.ts'

const checks = new Map<string, CheckValue>()
const mostKept = 100

parentPort?.on('message', ({ hash, schema, value }: HeavyCheck) => {
  const check = checks.get(hash) ?? compileSchema(schema)
  if (checks.size >= mostKept) checks.clear()
  checks.set(hash, check)
  // the time that the value takes counts from here
  parentPort?.postMessage('compiled')
  parentPort?.postMessage(check(value))
})
parentPort?.postMessage('ready')
