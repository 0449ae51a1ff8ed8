import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startEmbeddedPostgres } from '../../src/base/index.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { socketDirectory: string; password: string }
  }
}

/** One embedded PostgreSQL for the whole test run; each test file makes a database of its own in it. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const directory = await mkdtemp(join(tmpdir(), 'coherex-test-'))
  await chmod(directory, 0o711)
  const postgres = await startEmbeddedPostgres(join(directory, 'postgres'))
  project.provide('postgres', { socketDirectory: postgres.socketDirectory, password: postgres.password })
  return async () => {
    await postgres.stop()
    await rm(directory, { recursive: true, force: true })
  }
}
