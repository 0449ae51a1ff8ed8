import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    globalSetup: ['packages/server/tests/harness/test-postgres.ts'],
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        // one PostgreSQL for both, started above
        test: {
          name: 'parts',
          include: ['packages/*/src/**/*.test.{ts,tsx}', 'scripts/**/*.test.ts'],
          globalSetup: [],
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
