import { installLine, type Finding } from './finding.ts'
import type { Machine } from './machine.ts'

/** What only `npm test` needs, and installs by itself where it may. */
export async function checkTests(machine: Machine): Promise<Finding[]> {
  const needs = [
    {
      name: 'chromium',
      paths: ['/usr/lib/chromium/chromium-headless-shell', '/usr/bin/chromium'],
      package: 'chromium-headless-shell',
    },
    { name: 'external PostgreSQL', paths: ['/usr/lib/postgresql'], package: 'postgresql' },
  ]
  return Promise.all(
    needs.map(async ({ name, paths, package: wanted }): Promise<Finding> => {
      const there = await Promise.all(paths.map((path) => machine.exists(path)))
      const path = paths[there.indexOf(true)]
      if (path) return { name, state: 'ok', found: `${path}, for npm test` }
      return {
        name,
        state: 'weak',
        found: 'not installed; only npm test uses it',
        fix: installLine([wanted], machine.isRoot),
      }
    }),
  )
}
