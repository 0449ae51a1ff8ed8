import { expect, test } from 'vitest'
import { letOthers } from './let-others.ts'

test('letOthers() lets others have their turn, however many promises follow each other', async () => {
  let isHeard = false
  setImmediate(() => (isHeard = true))
  // without it the last of these would be over before anybody is heard
  for (let written = 0; written < 2000 && !isHeard; written++) {
    for (const until = performance.now() + 1; performance.now() < until;);
    await letOthers()
  }
  expect(isHeard).toBe(true)
})
