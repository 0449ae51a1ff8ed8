import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Author, WorkspaceTemplate } from '@coherex/contract'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { createTestDatabase } from '../../tests/harness/database/test-database.ts'
import {
  createDiskBlobs,
  createId,
  openEventBus,
  openStore,
  parseDatabaseUrl,
  type Blobs,
  type Database,
} from '../base/index.ts'
import type { DocumentName } from './document/document-store.ts'
import { Workspaces, type WorkspacesSettings } from './workspaces.ts'

export const anna: Author = { kind: 'person', id: 'per_anna', name: 'Anna', door: 'studio' }
export const ben: Author = { kind: 'person', id: 'per_ben', name: 'Ben', door: 'studio' }
export const robot: Author = { kind: 'agent', id: 'robot', name: 'Robot', door: 'agent' }

/** A store with a team, and as many server processes' worth of workspaces on it as a test wants. */
export interface TestWorkspaces {
  teamId: string
  database: Database
  blobs: Blobs
  blobNames(): Promise<string[]>
  workspaces: Workspaces
  /** Another server process on the same database. */
  another(settings?: Partial<WorkspacesSettings>): Promise<Workspaces>
  make(template?: WorkspaceTemplate): Promise<DocumentName>
  stop(): Promise<void>
}

export async function startTestWorkspaces(settings: Partial<WorkspacesSettings> = {}): Promise<TestWorkspaces> {
  const log = pino({ level: 'silent' })
  const testDatabase = await createTestDatabase()
  const store = await openStore({ owner: parseDatabaseUrl(testDatabase.url), log })
  const directory = await mkdtemp(join(tmpdir(), 'coherex-blobs-'))
  const blobs = createDiskBlobs(directory, { graceMs: 0 })
  const closers: (() => Promise<void>)[] = []
  const teamId = createId('team')
  await store.database.transaction({ team: teamId }, (transaction) =>
    transaction.execute(sql`INSERT INTO coherex.team (team_id, name) VALUES (${teamId}, 'Test')`),
  )
  const another: TestWorkspaces['another'] = async (own = settings) => {
    const events = await openEventBus(store.app, log)
    const made = new Workspaces({ database: store.database, events, blobs, releaseBlobs: () => undefined, log }, own)
    closers.push(async () => {
      await made.close()
      await events.close()
    })
    return made
  }
  const workspaces = await another(settings)
  return {
    teamId,
    database: store.database,
    blobs,
    async blobNames() {
      const names: string[] = []
      for await (const { hash } of blobs.list()) names.push(hash)
      return names
    },
    workspaces,
    another,
    async make(template = 'blank') {
      const maker = { teamId, author: anna, actor: { kind: 'person' as const, id: anna.id, name: anna.name } }
      const { id } = await workspaces.create(maker, { name: 'Test', template })
      return { teamId, workspaceId: id }
    },
    async stop() {
      await Promise.all(closers.map((close) => close()))
      await store.database.close()
      await testDatabase.drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The text of a file, as it is now or was at a version. */
export async function textAt(workspaces: Workspaces, name: DocumentName, path: string, version?: number) {
  const { body } = await workspaces.files.read(name, path, version)
  const chunks: Uint8Array[] = []
  if (Buffer.isBuffer(body)) return body.toString()
  for await (const chunk of body) chunks.push(chunk as Uint8Array)
  return Buffer.concat(chunks).toString()
}
