import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

test('every module of drizzle-orm is told by one package.json, as the shortcut to them takes for granted', () => {
  const folder = dirname(fileURLToPath(import.meta.resolve('drizzle-orm')))
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  expect(files.filter((path) => path.endsWith('package.json'))).toEqual(['package.json'])
  expect(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))).toMatchObject({ type: 'module' })
})
