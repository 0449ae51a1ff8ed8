import { installLine, type Finding } from './finding.ts'
import type { Machine } from './machine.ts'

/** What only `npm test` needs, and installs by itself where it may. */
export async function checkTests(machine: Machine): Promise<Finding[]> {
  const needs = [
    { name: 'chromium', path: '/usr/bin/chromium', package: 'chromium' },
    { name: 'external PostgreSQL', path: '/usr/lib/postgresql', package: 'postgresql' },
  ]
  return Promise.all(
    needs.map(async ({ name, path, package: wanted }): Promise<Finding> => {
      if (await machine.exists(path)) return { name, state: 'ok', found: `${path}, for npm test` }
      return {
        name,
        state: 'weak',
        found: 'not installed; only npm test uses it',
        fix: installLine([wanted], machine.isRoot),
      }
    }),
  )
}
