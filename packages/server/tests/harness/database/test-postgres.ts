import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { needsOf } from '../../../../../scripts/testing/test-needs.mjs'
import { connectOwner, startEmbeddedPostgres } from '../../../src/base/index.ts'
import { makeTemplateDatabase, type TemplateDatabase } from './template-database.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Undefined in a project whose tests need none. */
    postgres: { socketDirectory: string; password: string; template: TemplateDatabase } | undefined
  }
}

/** One embedded PostgreSQL for the whole test run, where a chosen file needs it, with a migrated database for tests to copy. */
export async function setup({ vitest }: TestProject): Promise<(() => Promise<void>) | undefined> {
  if (!needsOf([...vitest.state.getPaths()]).database) return undefined
  const directory = await mkdtemp(join(tmpdir(), 'coherex-test-'))
  await chmod(directory, 0o711)
  const postgres = await startEmbeddedPostgres(join(directory, 'postgres'), { connections: 300 })
  await forgetPowerCuts(postgres)
  const { socketDirectory, password } = postgres
  const template = await makeTemplateDatabase({ host: socketDirectory, port: 5432, password })
  for (const project of vitest.projects)
    // a pure test gets none, even beside others that do
    if (project.name !== 'pure') project.provide('postgres', { socketDirectory, password, template })
  return async () => {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}

/**
 * Tests kill servers, never the machine, and what a dead process wrote the kernel still has: waiting for the disk would
 * prove nothing and take minutes of the whole.
 */
async function forgetPowerCuts({ socketDirectory: host, password }: { socketDirectory: string; password: string }) {
  const client = await connectOwner({ host, user: 'postgres', password, database: 'postgres' })
  await client.query('ALTER SYSTEM SET fsync = off')
  await client.query('ALTER SYSTEM SET full_page_writes = off')
  await client.query('SELECT pg_reload_conf()')
  await client.end()
}
