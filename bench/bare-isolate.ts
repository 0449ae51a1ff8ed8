// A fresh isolate for each run, with nothing kept and nothing around it: what our own runs are compared with.
import { fork } from 'node:child_process'
import ivm from 'isolated-vm'
import { sustain } from './measure.ts'

/** The program that bare isolates and ours both run; another number is another program. */
export const benchCode = (at: number) =>
  `const items = Array.from({ length: 100 }, (_, i) => i * ${at})\nexport default (env, input) => ({ sum: items.reduce((a, b) => a + b, 0), input })`

/** One run the way isolated-vm's own documentation does it. */
export async function runBareIsolate(at: number): Promise<unknown> {
  const isolate = new ivm.Isolate({ memoryLimit: 128 })
  const context = await isolate.createContext()
  const module = await isolate.compileModule(benchCode(at), { filename: 'main.js' })
  await module.instantiate(context, () => {
    throw new Error('no imports')
  })
  await module.evaluate()
  const program = await module.namespace.get('default', { reference: true })
  const result = await program.apply(undefined, [{}, { n: at }], {
    arguments: { copy: true },
    result: { promise: true, copy: true },
  })
  isolate.dispose()
  return result
}

/** Runs per second of so many processes that each run bare isolates one after the other. */
export async function sustainBareIsolates(processes: number, ms: number): Promise<number> {
  const rates = await Promise.all(
    Array.from(
      { length: processes },
      () =>
        new Promise<number>((resolve, reject) => {
          const child = fork(import.meta.filename, [String(ms)], { execArgv: ['--no-node-snapshot'] })
          child.once('message', (rate) => resolve(Number(rate)))
          child.once('error', reject)
        }),
    ),
  )
  return rates.reduce((sum, rate) => sum + rate, 0)
}

if (import.meta.main) {
  process.send?.(await sustain(1, Number(process.argv[2]), (_, at) => runBareIsolate(at % 50)))
}
