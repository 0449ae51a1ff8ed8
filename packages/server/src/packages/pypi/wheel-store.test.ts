import { linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { WheelStore } from './wheel-store.ts'

const root = mkdtempSync(join(tmpdir(), 'coherex-store-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

test('WheelStore frees wheels and builds that no set has after an hour, where room is needed', async () => {
  const directory = join(root, 'full')
  for (const name of ['used', 'unused']) {
    const info = join(directory, name, 'site/a-1.0.dist-info')
    mkdirSync(info, { recursive: true })
    writeFileSync(join(info, 'METADATA'), '')
  }
  mkdirSync(join(directory, 'built/one'), { recursive: true })
  linkSync(join(directory, 'used/site/a-1.0.dist-info/METADATA'), join(root, 'METADATA-of-a-set'))
  const store = new WheelStore(directory)
  await store.freeUnused()
  expect(readdirSync(directory).toSorted()).toEqual(['built', 'unused', 'used'])
  await store.freeUnused(Date.now() + 2 * 3_600_000)
  expect(readdirSync(directory).toSorted()).toEqual(['built', 'used'])
  expect(readdirSync(join(directory, 'built'))).toEqual([])
})

test('WheelStore removes wheels that no set has after a month, builds after a week and leftovers after an hour', async () => {
  const directory = join(root, 'wheels')
  for (const name of ['used', 'unused', '.left']) {
    const info = join(directory, name, 'site/a-1.0.dist-info')
    mkdirSync(info, { recursive: true })
    writeFileSync(join(info, 'METADATA'), '')
  }
  mkdirSync(join(directory, 'built/one'), { recursive: true })
  linkSync(join(directory, 'used/site/a-1.0.dist-info/METADATA'), join(root, 'METADATA'))
  const names = () => readdirSync(directory).toSorted()
  const hour = 3_600_000

  const store = new WheelStore(directory)
  await store.tidy()
  expect(names()).toEqual(['.left', 'built', 'unused', 'used'])
  await store.tidy(Date.now() + 2 * hour)
  expect(names()).toEqual(['built', 'unused', 'used'])
  expect(readdirSync(join(directory, 'built'))).toEqual(['one'])
  await store.tidy(Date.now() + 8 * 24 * hour)
  expect(readdirSync(join(directory, 'built'))).toEqual([])
  await store.tidy(Date.now() + 40 * 24 * hour)
  expect(names()).toEqual(['built', 'used'])
  expect(await store.find('used')).toBe(join(directory, 'used'))
  expect(await store.find('unused')).toBeUndefined()
})
