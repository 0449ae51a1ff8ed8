import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DocumentName } from '../document/document-store.ts'
import { anna, startTestWorkspaces, type TestWorkspaces } from '../test-workspaces.ts'
import { findFiles } from './find-files.ts'
import { readLexemes } from './read-lexemes.ts'

let world: TestWorkspaces
beforeAll(async () => {
  world = await startTestWorkspaces()
})
afterAll(() => world.stop())

const write = (name: DocumentName, path: string, text: string) =>
  world.workspaces.files.write(name, { author: anna, path, bytes: [Buffer.from(text)] })
const find = (word: string) =>
  world.database.transaction({ team: world.teamId }, (transaction) =>
    findFiles(transaction, world.teamId, {
      ...{ patterns: [`%${word}%`], query: `'${word}':*`, words: [word], limit: 10 },
    }),
  )

test('findFiles finds a file by its path and by a word of its text, and no word that was replaced', async () => {
  const name = await world.make()
  await write(name, 'notes/region.md', 'nothing here\n')
  await write(name, 'load.py', 'import pandas\ntable = frame.groupby("region")\n')
  expect((await find('region')).map(({ path, line }) => [path, line])).toEqual([
    ['notes/region.md', undefined],
    ['load.py', 2],
  ])
  expect((await find('groupb'))[0]).toMatchObject({ snippet: 'table = frame.groupby("region")' })
  await write(name, 'load.py', 'import polars\n')
  expect(await find('polars')).toHaveLength(1)
  expect(await find('groupb')).toEqual([])
})

test('readLexemes reads the words of files that were stored without', async () => {
  const name = await world.make()
  await write(name, 'old.txt', 'a walrus\n')
  expect(await find('walrus')).toHaveLength(1)
  await world.database.transaction({ team: world.teamId }, (transaction) =>
    transaction.execute(sql`UPDATE coherex.workspace_file SET lexemes = NULL`),
  )
  expect(await find('walrus')).toEqual([])
  await readLexemes(world.database)
  expect(await find('walrus')).toMatchObject([{ path: 'old.txt' }])
})
