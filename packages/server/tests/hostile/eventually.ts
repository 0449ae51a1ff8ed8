import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'

/** Reads again and again until the value is as wanted; tests that run side by side cannot use expect.poll(). */
export async function eventually<T>(
  read: () => T | Promise<T>,
  isWanted: (value: T) => boolean,
  withinMs: number,
): Promise<void> {
  const until = performance.now() + withinMs
  let value = await read()
  while (!isWanted(value) && performance.now() < until) {
    await delay(30)
    value = await read()
  }
  expect(isWanted(value), `after ${withinMs} ms it was ${JSON.stringify(value)}`).toBe(true)
}
