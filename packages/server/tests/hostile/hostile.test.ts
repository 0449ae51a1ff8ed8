import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { files } from './cases/files.ts'
import { isolateEscape } from './cases/isolate-escape.ts'
import { namespaceEscape } from './cases/namespace-escape.ts'
import { networkByProxy } from './cases/network-by-proxy.ts'
import { network } from './cases/network.ts'
import { resources } from './cases/resources.ts'
import { secrets } from './cases/secrets.ts'
import type { HostileCase } from './hostile-case.ts'
import { createWorld, type World } from './world.ts'

const groups: { name: string; cases: HostileCase[] }[] = [
  { name: 'escapes from an isolate', cases: isolateEscape },
  { name: 'escapes from namespaces', cases: namespaceEscape },
  { name: 'ways to the network', cases: network },
  { name: 'ways through the proxy of a sandbox', cases: networkByProxy },
  { name: 'paths and links', cases: files },
  { name: 'secrets of the host', cases: secrets },
  { name: 'exhaustion', cases: resources },
]

/** Of the list of hostile cases, those that reach the product through runs. */
const listed = `J01 J02 J04 J05 J07 J08 J10 J11 J13 J14 P01 P02 P04 P05 P07 P08 P10 P11 P13 P14
  R01 R02 R04 R05 R07 R08 R10 R11 R13 R14 N01 N02 N04 N05 N07 N08 N10 N11 F01 F02 F04 F05 S01 S02 S04 S05 D02`.split(
  /\s+/,
)

// these only end what hangs: a case may have minutes, and the machine something else to do
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 })

let world: World
let closed = false

beforeAll(async () => {
  world = await createWorld()
  await world.canaries.touch()
})
afterAll(async () => {
  if (!closed) await world?.close()
})

test('every listed case is here with a control and a neighbour', () => {
  const all = groups.flatMap(({ cases }) => cases)
  for (const id of listed) {
    expect([id, all.some((one) => one.id === id && one.control)]).toEqual([id, true])
    expect([id, all.some((one) => one.id.startsWith(`${id}-`))]).toEqual([id, true])
  }
})

// one by one: what a case leaves behind is told by the test of that name
describe.each(groups)('$name', ({ cases }) => {
  for (const one of cases)
    test(`[${one.id}] ${one.title}`, async () => {
      try {
        await one.attack(world)
        await one.control?.(world)
      } finally {
        await world.checkConditions()
      }
    })
})

test('the log of the server names no canary', async () => {
  closed = true
  const { log } = await world.close()
  const { fileText, environmentText, rowText } = world.canaries
  for (const text of [fileText, environmentText, rowText]) expect(log.includes(text)).toBe(false)
})
