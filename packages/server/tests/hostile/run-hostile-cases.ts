import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { HostileCase } from './hostile-case.ts'
import { createWorld, type World } from './world.ts'

/** Groups of cases by their names, in a world of their own: each call is a file, so that workers share them. */
export function runHostileCases(groups: Record<string, HostileCase[]>): void {
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

  // one by one: what a case leaves behind is told by the test of that name
  describe.each(Object.entries(groups))('%s', (_, cases) => {
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
}
