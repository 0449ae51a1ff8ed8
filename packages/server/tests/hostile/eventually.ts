import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'

/** Reads again and again until the value is as wanted. */
export async function eventually<T>(
  read: () => T | Promise<T>,
  isWanted: (value: T) => boolean,
  withinMs: number,
): Promise<void> {
  const value = await lastOf(read, isWanted, withinMs)
  expect(isWanted(value), `after ${withinMs} ms it was ${JSON.stringify(value)}`).toBe(true)
}

/** The value as wanted, or what it was when the time was over. */
export async function lastOf<T>(
  read: () => T | Promise<T>,
  isWanted: (value: T) => boolean,
  withinMs: number,
): Promise<T> {
  const until = performance.now() + withinMs
  let value = await read()
  while (!isWanted(value) && performance.now() < until) {
    await delay(30)
    value = await read()
  }
  return value
}
