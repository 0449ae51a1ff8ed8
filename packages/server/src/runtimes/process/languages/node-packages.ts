import { join } from 'node:path'
import { reachedModules } from '../../isolate/reached-modules.ts'
import type { LaunchSpec } from '../../launch/index.ts'
import { allowedPackage } from '../../packages/allow-list.ts'
import type { BundleStore } from '../../packages/bundle-store.ts'
import { readSpecifier } from '../../packages/package-specifier.ts'
import type { Program } from '../../runtime.ts'

const inside = '/opt/bundles'
const languages = new Set(['javascript', 'typescript', 'node'])

/** What Node programs may import beside their own files: the packages that isolates have, since one import takes a program from there to here. */
export class NodePackages {
  readonly #store: BundleStore

  constructor(store: BundleStore) {
    this.#store = store
  }

  get binds(): LaunchSpec['binds'] {
    return [{ host: this.#store.directory, guest: inside }]
  }

  /** Why it cannot have the packages it asks for by name. */
  refuses({ language, packages, set }: Program): string | undefined {
    const isThere = (name: string) => allowedPackage(name) !== undefined || set?.modules.includes(name) === true
    const missing = languages.has(language) ? packages.find((name) => !isThere(name)) : packages[0]
    if (missing === undefined) return undefined
    return languages.has(language)
      ? `the package "${missing}" is not on its list`
      : 'packages are for JavaScript, TypeScript and Python'
  }

  /** Specifiers of the list that it imports or asks for by name. */
  importsOf(program: Program): string[] {
    if (!languages.has(program.language)) return []
    const specifiers = new Set(program.packages)
    for (const module of reachedModules(program)) {
      for (const specifier of module.specifiers) if (allowedPackage(specifier) !== undefined) specifiers.add(specifier)
    }
    const ofSet = program.set?.language === 'javascript' ? program.set.modules : []
    return [...specifiers].filter((specifier) => !ofSet.includes(readSpecifier(specifier)?.name ?? ''))
  }

  /** Paths in the sandbox, by specifier; those that name no file of their package are left out. */
  async bundlesOf(specifiers: string[]): Promise<Record<string, string>> {
    const files = await this.#store.ensure(specifiers)
    return Object.fromEntries(Object.entries(files).map(([specifier, file]) => [specifier, join(inside, file)]))
  }
}
