import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/testing/longest-first.ts'
import { groupTests } from './scripts/testing/test-needs.mjs'

const groups = groupTests()
const cores = availableParallelism()
const noInternet = 'packages/server/tests/harness/no-internet.ts'

export default defineConfig({
  test: {
    // for all projects together, and only when a chosen file needs it
    globalSetup: ['packages/server/tests/harness/database/test-postgres.ts'],
    pool: 'forks',
    maxWorkers: cores,
    sequence: { sequencer: LongestFirst },
    // these only end what hangs: with both cores busy everything takes several times as long
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // what is waited for comes when it comes: vitest's own second is too short where others use the cores
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        // the whole contract, where the studio's build leaves out the schemas
        resolve: {
          alias: ['virtual:contract-routes', 'virtual:artifact-routes'].map((find) => ({
            find,
            replacement: join(import.meta.dirname, 'packages/contract/src/index.ts'),
          })),
        },
        // a process of its own for each file would take longer than its tests
        test: {
          name: 'pure',
          include: groups.pure,
          setupFiles: [noInternet, 'scripts/testing/refuse-processes.ts'],
          globalSetup: [],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'database',
          include: groups.database,
          setupFiles: [noInternet, 'packages/server/tests/harness/quick-imports.ts'],
          globalSetup: [],
        },
      },
      {
        extends: true,
        test: {
          name: 'sandbox',
          include: groups.sandbox,
          setupFiles: [noInternet, 'packages/server/tests/harness/quick-imports.ts'],
          globalSetup: [],
        },
      },
      {
        extends: true,
        // the whole server is loaded once in each worker instead of once for each file
        test: {
          name: 'stories',
          include: groups.stories,
          // a third of a story is waiting, for a page, a sandbox or a clock; with more, stories wait for each other
          maxWorkers: Math.min(cores + 1, 8),
          sequence: { groupOrder: 1 },
          setupFiles: [noInternet],
          globalSetup: [],
          isolate: false,
        },
      },
    ],
  },
})
