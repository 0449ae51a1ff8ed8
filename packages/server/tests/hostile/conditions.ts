import { readFileSync } from 'node:fs'
import { routes, type Client, type Run, type RunRequest } from '@coherex/contract'
import type { Client as DatabaseClient } from 'pg'
import { expect } from 'vitest'
import { watchStretch } from '../harness/load/machine-stretch.ts'
import type { ServerProcess } from '../harness/server-process.ts'
import type { Canaries } from './canaries.ts'
import { lastOf } from './eventually.ts'
import { databaseSessions, type Holdings, type Machine, settle } from './leftovers.ts'
import { watchAnswers } from './watch-answers.ts'

/** What must hold after every hostile case, whatever came of the case itself. */
export interface Conditions {
  /** Names all that does not hold. A case answers for what it broke, and no case after it does. */
  check(): Promise<void>
  stop(): Promise<void>
}

export interface Subject {
  server: ServerProcess
  machine: Machine
  superuser: DatabaseClient
  canaries: Canaries
  /** The other team, whose row must stay as it is. */
  victim: Client
  run(request: RunRequest): Promise<Run>
  /** All that was answered since it was last taken. */
  takeAnswers(): string[]
}

// a server with nothing to do has a handful; a leak of one for each run would be far past it
const spareDescriptors = 30
const mostSandboxes = 60
// all pools of the server at their full size
const mostSessions = 40

const isCalm = ({ all, stuck }: { all: number; stuck: number }) => stuck === 0 && all <= mostSessions

const harmless: { request: RunRequest; result: unknown }[] = [
  { request: { language: 'javascript', code: '[1, 2].map((n) => n * 2)' }, result: [2, 4] },
  { request: { language: 'typescript', code: 'const n: number = 3\nexport default () => n' }, result: 3 },
  { request: { language: 'python', code: 'sum(range(5))' }, result: 10 },
  { request: { language: 'bash', code: 'test $((1 + 1)) = 2' }, result: undefined },
  { request: { language: 'node', code: 'import os from "node:os"\nexport default () => os.EOL' }, result: '\n' },
]

export async function watchConditions(subject: Subject): Promise<Conditions> {
  const { server, machine, superuser, canaries, victim, run, takeAnswers } = subject
  const { items: theirs } = await victim(routes.runs.list, { query: {} })
  const readRow = () => victim(routes.runs.get, { params: { id: theirs[0]?.id ?? '' } })
  let row = await readRow()
  let hits = canaries.hits()
  await Promise.all(harmless.map(({ request }) => run(request)))
  let held = await settle(machine, { withinMs: 20_000 })
  const answers = watchAnswers(server.url)
  await server.longestTick() // what it did while it started is no attack

  return {
    async check() {
      // all at once: a check after each case has to be quick
      const broken = await checkHarmless(run).then(
        () => undefined,
        (error: unknown) => error,
      )
      checkTexts(canaries, takeAnswers())
      expect.soft(readFileSync(canaries.filePath, 'utf8'), 'the file of the host').toBe(canaries.fileText)
      const reached = canaries.hits()
      expect.soft(reached - hits, 'connections to the listener').toBe(0)
      hits = reached

      const [rowNow, holdings, sessions] = await Promise.all([
        readRow(),
        settle(machine, { withinMs: 20_000, descriptors: held.descriptors + spareDescriptors }),
        // one whose server had no core for a moment goes on, one that is stuck does not
        lastOf(() => databaseSessions(superuser), isCalm, 20_000),
      ])
      expect.soft(rowNow, 'the row of the other team').toEqual(row)
      row = rowNow
      expect.soft(isCalm(sessions), `sessions of the database: ${JSON.stringify(sessions)}`).toBe(true)
      if (!checkHoldings(holdings, held)) held = holdings

      expect.soft(answers.look().failures, 'answers that did not come').toBe(0)
      const { longest, turns } = await server.longestTick()
      expect.soft(turns, 'turns that were measured').toBeGreaterThan(0)
      // up to 90 ms in the floods and bombs of exhaustion where nothing else runs; neighbours that share the caches stretch it, and what holds the server takes seconds
      expect.soft(longest, 'the longest turn').toBeLessThan(400)
      expect.soft(await Promise.race([server.ended, Promise.resolve('running')]), 'the server').toBe('running')
      if (broken) throw broken
    },
    stop: () => answers.stop(),
  }
}

async function checkHarmless(run: Subject['run']): Promise<void> {
  const machine = watchStretch({ ownThreads: harmless.length })
  const ended = await Promise.all(harmless.map(({ request }) => run(request)))
  const stretch = machine.stop()
  for (const [at, one] of ended.entries()) {
    expect(one, JSON.stringify(one.error)).toMatchObject({ status: 'succeeded' })
    expect(one.result).toEqual(harmless[at]?.result)
    expect(Date.parse(one.endedAt ?? '') - Date.parse(one.createdAt)).toBeLessThan(2000 * stretch)
  }
}

function checkTexts({ fileText, environmentText, rowText }: Canaries, texts: string[]): void {
  const canaries = { file: fileText, environment: environmentText, row: rowText }
  for (const [name, canary] of Object.entries(canaries)) {
    const spellings = [canary, Buffer.from(canary).toString('base64').slice(0, 40), Buffer.from(canary).toString('hex')]
    const telling = texts.filter((text) => spellings.some((one) => text.includes(one)))
    expect
      .soft(
        telling.map((text) => text.slice(0, 300)),
        `answers with the canary of the ${name}`,
      )
      .toEqual([])
  }
}

/** Whether nothing was left behind. */
function checkHoldings(now: Holdings, before: Holdings): boolean {
  const left = {
    strangers: now.strangers,
    listening: now.listening,
    mounts: now.mounts - before.mounts,
    files: now.files - before.files,
    hasTooManySandboxes: now.sandboxes > mostSandboxes,
    hasTooManyDescriptors: now.descriptors > before.descriptors + spareDescriptors,
  }
  const nothing = {
    strangers: before.strangers,
    listening: before.listening,
    mounts: 0,
    files: 0,
    hasTooManySandboxes: false,
    hasTooManyDescriptors: false,
  }
  expect.soft(left, 'what is left behind').toEqual(nothing)
  return JSON.stringify(left) === JSON.stringify(nothing)
}
