import { expect, test } from 'vitest'
import { createRecentVersions, type RecentVersion } from './recent-versions.ts'

test('createRecentVersions() loads a version once, and lets those go that were asked for longest ago', async () => {
  const recent = createRecentVersions()
  const loads: string[] = []
  const ask = (key: string) =>
    recent(key, async () => {
      loads.push(key)
      const content = { files: new Map([['main.js', Buffer.alloc(10_000_000)]]), input: true, output: true }
      return { digest: key, content: content as unknown as RecentVersion['content'] }
    })
  for (const key of ['a', 'b', 'c', 'a']) expect((await ask(key)).digest).toBe(key)
  expect(loads).toEqual(['a', 'b', 'c'])
  await ask('d')
  for (const key of ['a', 'c', 'd', 'b']) await ask(key)
  expect(loads).toEqual(['a', 'b', 'c', 'd', 'b'])
})

test('createRecentVersions() keeps nothing of a version that could not be loaded', async () => {
  const recent = createRecentVersions()
  const version = { digest: 'd', content: { files: new Map(), input: true, output: true } } as unknown as RecentVersion
  await expect(recent('a', async () => Promise.reject(new Error('no version')))).rejects.toThrow('no version')
  expect(await recent('a', async () => version)).toBe(version)
})
