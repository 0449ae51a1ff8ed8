import { CoherexError, type BrowserBundle } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { SetBundles } from '../../runtimes/index.ts'
import type { Packages } from '../packages.ts'
import { SharedWork } from '../shared-work.ts'

const ofPage = ['react', 'react-dom']
const mostCharacters = 8_000_000
const ofPackage = /^(?:npm:)?@?[\w~-][\w.@^~/+-]{0,200}$/
const form = /^(?:npm:)?(@[^/@]+\/[^/@]+|[^/@]+)(?:@([^/]+))?/

/** Packages of npm as one script for a preview in a browser: resolved by the team's rules, and bundled in a sandbox. */
export class BrowserBundles {
  readonly #packages: Packages
  readonly #bundles: SetBundles | undefined
  readonly #work = new SharedWork<BrowserBundle>()

  constructor(packages: Packages, bundles: SetBundles | undefined) {
    this.#packages = packages
    this.#bundles = bundles
  }

  /** One that cannot be had does not keep the others away. */
  async find(caller: TeamCaller, imports: readonly string[], signal: AbortSignal): Promise<BrowserBundle> {
    const { teamId } = caller
    const all = [...new Set(imports)].toSorted()
    const named = all.filter((one) => ofPackage.test(one))
    const others = all
      .filter((one) => !named.includes(one))
      .map((module) => ({ module, why: 'a preview has packages of npm, and no files or parts of Node' }))
    if (named.length === 0) return { code: '', missing: others }
    const { code, missing } = await this.#work.join(JSON.stringify([teamId, named]), { teamId, signal }, (working) =>
      this.#find(caller, named, working),
    )
    return { code, missing: [...missing, ...others] }
  }

  async #find(caller: TeamCaller, all: readonly string[], signal: AbortSignal): Promise<BrowserBundle> {
    const whole = await this.#try(caller, all, signal)
    if ('code' in whole) return { ...whole, missing: [] }
    if (all.length === 1) return { code: '', missing: [{ module: all[0] ?? '', why: whole.why }] }
    const missing: BrowserBundle['missing'] = []
    for (const module of all) {
      const one = await this.#try(caller, [module], signal)
      if ('why' in one) missing.push({ module, why: one.why })
    }
    const there = all.filter((module) => !missing.some((one) => one.module === module))
    if (there.length === 0) return { code: '', missing }
    const rest = missing.length > 0 ? await this.#try(caller, there, signal) : whole
    if ('code' in rest) return { code: rest.code, missing }
    return { code: '', missing: all.map((module) => ({ module, why: rest.why })) }
  }

  async #try(
    caller: TeamCaller,
    imports: readonly string[],
    signal: AbortSignal,
  ): Promise<{ code: string } | { why: string }> {
    if (!this.#bundles) return { why: 'This server makes no bundles' }
    try {
      const requirements = [...new Set(imports.map(toRequirement))]
      const { set } = await this.#packages.prepare(caller, { language: 'javascript', requirements }, { signal })
      const code = await this.#bundles.forPage(set, imports, { ofPage, signal })
      if (code.length <= mostCharacters) return { code }
      return { why: `${imports.join(', ')} is larger than 8 MB, the most that a preview takes` }
    } catch (error) {
      if (!(error instanceof CoherexError)) throw error
      return { why: error.message }
    }
  }
}

function toRequirement(specifier: string): string {
  const [, name = specifier, range] = form.exec(specifier) ?? []
  return range === undefined ? name : `${name}@${range}`
}
