import type { LanguageEvent } from '@coherex/contract'
import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TeamCaller } from '../../access/index.ts'
import type { Packages } from '../../packages/index.ts'
import { createFixture } from '../../runtimes/process/process-fixture.ts'
import { anna, startTestWorkspaces, type TestWorkspaces } from '../../workspaces/test-workspaces.ts'
import { defaultSandboxLimits } from '../sandboxes/sandbox.ts'
import { findBasedpyright } from './find-basedpyright.ts'
import { LanguageServers } from './language-servers.ts'

const patience = { timeout: 60_000 }
const times = { leftMs: 1_000, firstMs: 100, longestMs: 100, wellMs: 100, askMs: 15_000, settleMs: 50 }

let store: TestWorkspaces
let runtime: Awaited<ReturnType<typeof createFixture>>
const made: LanguageServers[] = []
let reservedMb = 0

beforeAll(async () => {
  store = await startTestWorkspaces()
  const live = { ready: 0, limits: defaultSandboxLimits }
  runtime = await createFixture(0x5f000000, { poolSize: 0, live, binds: findBasedpyright() })
})
afterAll(async () => {
  for (const servers of made) await servers.close()
  await runtime.close()
  await store.stop()
})

function createServers(idleMs: number): LanguageServers {
  const servers = new LanguageServers({
    workspaces: store.workspaces,
    sandboxes: {
      async reserve(_team, memoryMb) {
        reservedMb += memoryMb
        return () => void (reservedMb -= memoryMb)
      },
    },
    open: (spec) => runtime.runtime.open(spec),
    // no file of these workspaces names a package
    packages: { keptBy: async () => [] } as Partial<Packages> as Packages,
    ...{
      python: '/usr/bin/python3',
      isInstalled: findBasedpyright().length > 0,
      times: { ...times, idleMs },
      log: pino({ level: 'silent' }),
    },
  })
  made.push(servers)
  return servers
}

async function join(idleMs: number) {
  const name = await store.make()
  const write = (path: string, text: string) =>
    store.workspaces.files.write(name, { path, bytes: [Buffer.from(text)], author: anna })
  await write('main.py', 'value: int = "text"\n')
  const language = await createServers(idleMs).of({ teamId: store.teamId } as TeamCaller, name.workspaceId)
  const heard: LanguageEvent[] = []
  let readyMb = 0
  const client = {
    tell(event: LanguageEvent) {
      heard.push(event)
      if (event.type === 'state' && event.state === 'ready') readyMb = reservedMb
    },
  }
  language.join(client)
  language.open(client, 'main.py')
  const states = () => heard.flatMap((one) => (one.type === 'state' ? [one.state] : []))
  await expect.poll(() => states().slice(0, 3), patience).toEqual(['asleep', 'starting', 'ready'])
  expect(readyMb).toBe(768)
  return { language, client, heard, states, write }
}

test('a language server that nobody uses ends, gives its memory back, and starts with the next edit', async () => {
  const { language, client, states, write } = await join(2_000)
  await expect.poll(states, patience).toEqual(['asleep', 'starting', 'ready', 'asleep'])
  await expect.poll(() => reservedMb, patience).toBe(0)
  expect(language.isDone).toBe(false)
  await write('main.py', 'value: int = "other"\n')
  await expect.poll(() => states().slice(4, 6), patience).toEqual(['starting', 'ready'])
  language.leave(client)
  await expect.poll(() => [language.isDone, reservedMb], patience).toEqual([true, 0])
}, 120_000)

test('a language server starts anew when a file that names packages has changed', async () => {
  const { language, client, states, write } = await join(60_000)
  await write('requirements.txt', '# none yet\n')
  await expect.poll(() => states().slice(3), patience).toEqual(['asleep', 'starting', 'ready'])
  // one that says the same again is no reason
  await write('notes.txt', 'hello\n')
  expect(states()).toHaveLength(6)
  language.leave(client)
  await expect.poll(() => reservedMb, patience).toBe(0)
}, 120_000)
