import { defineConfig } from 'vitest/config'
import { LongestFirst } from './scripts/longest-first.ts'

export default defineConfig({
  test: {
    globalSetup: ['packages/server/tests/harness/test-postgres.ts'],
    pool: 'forks',
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    // these only end what hangs: with both cores busy everything takes several times as long
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // what is waited for comes when it comes: vitest's own second is too short where others use the cores
    expect: { poll: { timeout: 15_000 } },
    projects: [
      {
        extends: true,
        // one PostgreSQL for both, started above
        test: {
          name: 'parts',
          include: ['packages/server/src/**/*.test.ts', 'scripts/**/*.test.ts'],
          setupFiles: ['packages/server/tests/harness/quick-imports.ts'],
          globalSetup: [],
        },
      },
      {
        extends: true,
        // functions that keep nothing: a process of its own for each file takes longer than its tests
        test: {
          name: 'small parts',
          include: ['packages/{cli,contract,studio}/src/**/*.test.{ts,tsx}'],
          globalSetup: [],
          isolate: false,
        },
      },
      {
        extends: true,
        // the whole server is loaded once in each worker instead of once for each file
        test: { name: 'stories', include: ['packages/*/tests/**/*.test.ts'], globalSetup: [], isolate: false },
      },
    ],
  },
})
