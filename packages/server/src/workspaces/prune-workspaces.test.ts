import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DocumentName } from './document/document-store.ts'
import { pruneWorkspaces } from './prune-workspaces.ts'
import { anna, startTestWorkspaces, textAt, type TestWorkspaces } from './test-workspaces.ts'

let world: TestWorkspaces

beforeAll(async () => {
  world = await startTestWorkspaces()
})
afterAll(() => world.stop())

const write = (name: DocumentName, path: string, bytes: Buffer) =>
  world.workspaces.files.write(name, { author: anna, path, bytes: [bytes] })
const released: string[] = []
const prune = () => pruneWorkspaces(world.database, (_, hashes) => void released.push(...hashes))
const age = (name: DocumentName, days: number) =>
  world.database.transaction({ team: name.teamId }, async (transaction) => {
    for (const [table, column] of [
      ['workspace_version', 'at'],
      ['workspace_log', 'last_at'],
    ] as const) {
      await transaction.execute(sql`
        UPDATE ${sql.raw(`coherex.${table}`)} SET ${sql.raw(column)} = now() - make_interval(days => ${days})
        WHERE workspace_id = ${name.workspaceId}`)
    }
  })
const retain = (name: DocumentName, retentionDays: number | null) =>
  world.workspaces.update({ teamId: name.teamId, actor: { kind: 'person', name: 'Anna' } }, name.workspaceId, {
    retentionDays,
  })

test('versions past the retention go, tagged ones and the last stay readable with all they are made of', async () => {
  const name = await world.make()
  const text = (at: number) => `${'the same line\n'.repeat(200)}version ${at}\n`
  for (let at = 1; at <= 6; at++) await write(name, 'a.txt', Buffer.from(text(at)))
  await write(name, 'b.bin', Buffer.from([0, 1]))
  await write(name, 'b.bin', Buffer.from([0, 2]))
  await world.workspaces.versions.tag(name, { name: 'kept', version: 3, by: anna })
  const blobs = async () => (await world.workspaces.files.read(name, 'b.bin', 7).catch(() => undefined)) !== undefined
  const first = (await world.workspaces.files.read(name, 'b.bin', 7)).hash
  await prune()
  expect(await blobs()).toBe(true)
  await retain(name, 10)
  await age(name, 9)
  await prune()
  expect((await world.workspaces.versions.list(name, { limit: 20 })).items.length).toBe(8)
  await age(name, 11)
  await prune()
  const left = await world.workspaces.versions.list(name, { limit: 20 })
  expect(left.items.map(({ number }) => number)).toEqual([8, 3])
  expect(await textAt(world.workspaces, name, 'a.txt', 3)).toBe(text(3))
  expect(await textAt(world.workspaces, name, 'a.txt', 8)).toBe(text(6))
  expect(await blobs()).toBe(false)
  await expect(world.workspaces.files.list(name, { version: 5 })).rejects.toMatchObject({ code: 'not_found' })
  expect((await world.workspaces.files.read(name, 'b.bin', 8)).size).toBe(2)
  expect(released).toEqual([first])
  expect(await write(name, 'a.txt', Buffer.from('more'))).toEqual({ version: 9 })
})
