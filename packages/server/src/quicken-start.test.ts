import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('every module of drizzle-orm is told by one package.json, as the shortcut to them takes for granted', async () => {
  const folder = dirname(fileURLToPath(import.meta.resolve('drizzle-orm')))
  const found = await Array.fromAsync(glob('**/package.json', { cwd: folder }))
  expect(found).toEqual(['package.json'])
  expect(JSON.parse(readFileSync(`${folder}/package.json`, 'utf8'))).toMatchObject({ type: 'module' })
})
