import { spawn, type ChildProcess } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { askLongestTick, watchArguments } from './longest-tick.ts'

// what stands for a server: works or sleeps as long as it is told, without letting anyone else have a turn
const program = `process.on('message', (message) => {
  if (message.workMs) {
    const began = process.threadCpuUsage()
    const worked = () => { const { user, system } = process.threadCpuUsage(began); return (user + system) / 1000 }
    while (worked() < message.workMs);
  }
  if (message.sleepMs) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, message.sleepMs)
  if (message !== 'longest turn') process.send('done')
})
require('node:net').createServer().listen(0, '127.0.0.1')`

let watched: ChildProcess
let others: ChildProcess[]

beforeAll(() => {
  watched = spawn(process.execPath, [...watchArguments, '--eval', program], { stdio: ['ignore', 'ignore', 2, 'ipc'] })
  // two for each core, so that a turn takes more than twice as long on the clock as it works
  const busy = () => spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' })
  others = Array.from({ length: availableParallelism() * 2 }, busy)
})
afterAll(() => {
  for (const child of [watched, ...others]) child.kill('SIGKILL')
})

/** Has the process hold its event loop, and says how long that was on the clock and by the watch. */
async function hold(how: { workMs?: number; sleepMs?: number }): Promise<{ clock: number; longest: number }> {
  await askLongestTick(watched)
  const began = performance.now()
  await new Promise((resolve) => {
    watched.once('message', resolve)
    watched.send(how)
  })
  const clock = performance.now() - began
  const { longest } = await askLongestTick(watched)
  return { clock, longest }
}

test('on a busy machine a turn counts as long as it worked, and not as long as it took', async () => {
  const { clock, longest } = await hold({ workMs: 150 })
  expect(clock).toBeGreaterThan(250)
  expect(longest).toBeGreaterThanOrEqual(150)
  expect(longest).toBeLessThan(250)
})

test('on a busy machine a turn that works for 300 ms is found', async () => {
  expect((await hold({ workMs: 300 })).longest).toBeGreaterThanOrEqual(300)
})

test('on a busy machine a turn that waits for a second for something other than a core is found', async () => {
  expect((await hold({ sleepMs: 1000 })).longest).toBeGreaterThanOrEqual(250)
})
