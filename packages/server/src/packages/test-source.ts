import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CoherexError, type PackageLanguage } from '@coherex/contract'
import type { PackageSource } from './package-source.ts'

/** A registry in memory, for tests of the room: what its packages are named by is all that it has of them. */
export interface TestSource extends PackageSource {
  /** Versions by name, the newest last. */
  readonly releases: Map<string, string[]>
  missing: string | undefined
  readonly calls: { resolve: number; layOut: number }
  /** Waited for before anything is laid out. */
  gate: Promise<void>
}

export function createTestSource(language: PackageLanguage, releases: Record<string, string[]>): TestSource {
  const known = new Map(Object.entries(releases))
  const source: TestSource = {
    language,
    releases: known,
    missing: undefined,
    calls: { resolve: 0, layOut: 0 },
    gate: Promise.resolve(),
    unavailable: () => source.missing,
    async resolve(requirements, _rules, signal) {
      source.calls.resolve++
      signal.throwIfAborted()
      return requirements.map((text) => {
        const [, name = ''] = /^(@?[^@<>=]+)/.exec(text) ?? []
        const version = known.get(name)?.at(-1)
        if (version === undefined) throw new CoherexError('not_found', `The registry has no package "${name}"`)
        const integrity = `sha256-${Buffer.from(`${name} ${version}`).toString('base64')}`
        return { name, version, integrity, size: 100, url: `https://registry.test/${name}-${version}.tgz` }
      })
    },
    async layOut(packages, directory, { signal, onProgress }) {
      source.calls.layOut++
      await source.gate
      for (const [at, { name, version }] of packages.entries()) {
        signal.throwIfAborted()
        await mkdir(join(directory, 'node_modules', name), { recursive: true })
        await writeFile(
          join(directory, 'node_modules', name, 'package.json'),
          JSON.stringify({ name, version, main: 'index.js' }),
        )
        await writeFile(join(directory, 'node_modules', name, 'index.js'), `exports.version = '${version}'\n`)
        onProgress({ packages: at + 1, of: packages.length, bytes: 100 * (at + 1) })
      }
      return { modules: packages.map(({ name }) => name) }
    },
    async info(name) {
      const versions = known.get(name)
      return (
        versions && {
          name,
          summary: '',
          versions: versions.map((version) => ({ version, publishedAt: null, size: null })),
        }
      )
    },
    toLockFile: (requirements) => ({ path: 'test-lock.json', text: JSON.stringify(requirements) }),
  }
  return source
}
