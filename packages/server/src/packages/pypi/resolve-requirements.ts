import { createReadStream } from 'node:fs'
import { basename, dirname } from 'node:path'
import { CoherexError } from '@coherex/contract'
import type { Egress } from '../../egress/index.ts'
import type { Sandbox, SandboxSpec } from '../../runtimes/index.ts'
import type { ResolvedPackage, ResolveRules } from '../package-source.ts'
import { explainFailure, findUnbuilt } from './explain-failure.ts'
import { findSource } from './find-source.ts'
import { openIndexNetwork } from './index/index-network.ts'
import { type IndexPlace, lookAtIndex, withoutCredentials } from './index/index-place.ts'
import { readNeeds } from './index/package-needs.ts'
import type { Interpreter } from './interpreter.ts'
import { keepTogether } from './keep-together.ts'
import { type PylockPackage, readPylock, writePreferences } from './pylock.ts'
import { normalizeName, type Requirement } from './requirement.ts'
import { readInside, runInside, withSandbox, writeInside } from './resolver-sandbox.ts'

export interface ResolveDeps {
  open(spec: SandboxSpec): Promise<Sandbox>
  egress: Egress
  /** The program on the host. */
  uv: string
  interpreter: Interpreter
  place: IndexPlace
  /** The operator takes the index as it is, though it tells no release times. */
  isAgeless: boolean
  /** Makes a wheel of a source distribution; its file. */
  build(source: ResolvedPackage, before: Date | undefined, signal: AbortSignal): Promise<string>
}

/** A wheel that was made here, since the index has none. */
interface Built {
  source: ResolvedPackage
  wheel: string
}

const uvCache = '/tmp/uv'
const maxLock = 2_000_000
const mostBuilds = 10

/** Versions of all that the requirements need, by uv, in a sandbox that reaches the index alone. */
export async function resolveRequirements(
  requirements: readonly Requirement[],
  rules: ResolveRules,
  deps: ResolveDeps & { signal: AbortSignal },
): Promise<ResolvedPackage[]> {
  const built: Built[] = []
  const resolved = await resolveBuilding(requirements, rules, deps, built)
  const further = keepTogether(resolved, deps.interpreter)
  if (further.length === 0) return resolved
  // where they do not fit together at all, what was asked for counts
  return resolveBuilding([...requirements, ...further], rules, deps, built).catch(() => {
    deps.signal.throwIfAborted()
    return resolved
  })
}

/** Where the team allows builds, what has no wheel is built, one after the other, until all of it fits. */
async function resolveBuilding(
  requirements: readonly Requirement[],
  rules: ResolveRules,
  deps: ResolveDeps & { signal: AbortSignal },
  built: Built[],
): Promise<ResolvedPackage[]> {
  const { place, egress, signal } = deps
  const before = deps.isAgeless ? undefined : rules.before
  for (;;) {
    const answer = await resolveOnce(requirements, rules, { ...deps, built })
    if ('resolved' in answer) return answer.resolved
    const { unbuilt } = answer
    if (!rules.allowBuilds || !unbuilt || built.length >= mostBuilds) throw answer.failure
    const asked = requirements.find(({ name }) => name === unbuilt.name)?.specifier
    const specifier = [unbuilt.specifier, asked].filter(Boolean).join(',')
    const source = await findSource(place, { name: unbuilt.name, specifier, before }, { egress, signal })
    if (!source || built.some((one) => one.source.url === source.url)) throw answer.failure
    built.push({ source, wheel: await deps.build(source, before, signal) })
  }
}

type Answer =
  | { resolved: ResolvedPackage[] }
  | { failure: CoherexError; unbuilt: { name: string; specifier: string } | undefined }

async function resolveOnce(
  requirements: readonly Requirement[],
  rules: ResolveRules,
  { signal, built, ...deps }: ResolveDeps & { signal: AbortSignal; built: readonly Built[] },
): Promise<Answer> {
  if (requirements.length === 0) return { resolved: [] }
  const { egress, place, interpreter, uv } = deps
  const before = deps.isAgeless ? undefined : rules.before
  const fileOrigins = await findFileOrigins(requirements, before, { ...deps, signal })
  const kept = rules.lockFile === undefined ? [] : readPylock(rules.lockFile)
  const network = openIndexNetwork(egress, place, fileOrigins)
  try {
    const { said, lock, needs } = await withSandbox(
      { open: deps.open, shown: dirname(uv), network: network.network, signal },
      async (sandbox) => {
        await writeInside(sandbox, 'wanted.in', requirements.map(({ text }) => `${text}\n`).join(''))
        await writeInside(sandbox, 'pylock.toml', writePreferences(preferred(interpreter, kept)))
        for (const { wheel } of built) await sandbox.files.write(`wheels/${basename(wheel)}`, createReadStream(wheel))
        const compile = [
          ...[`/opt/template/${basename(uv)}`, 'pip', 'compile', 'wanted.in', '--quiet', '--no-header'],
          ...['--python', interpreter.python, '--only-binary', ':all:'],
          ...(interpreter.target === undefined
            ? []
            : ['--python-platform', interpreter.target, '--python-version', interpreter.version]),
          ...(before ? ['--exclude-newer', before.toISOString()] : []),
          ...(built.length > 0 ? ['--find-links', 'wheels'] : []),
        ]
        const argv = [...compile, '--format', 'pylock.toml', '--output-file', 'pylock.toml']
        const said = await runInside(sandbox, argv, { env: uvEnvironment(place) })
        const lock = said.code === 0 ? await readInside(sandbox, 'pylock.toml', maxLock) : undefined
        const text = lock?.toString('utf8')
        if (text === undefined) return { said, lock: text, needs: undefined }
        // a pylock.toml does not say which package needs which; what uv has read of them does, without the network
        await writeInside(sandbox, 'pins.txt', pinsOf(readPylock(text)))
        const asked = [
          '--offline',
          '--constraint',
          'pins.txt',
          '--annotation-style',
          'line',
          '--output-file',
          'via.txt',
        ]
        const { code } = await runInside(sandbox, [...compile, ...asked], { env: uvEnvironment(place) })
        const via = code === 0 ? await readInside(sandbox, 'via.txt', maxLock) : undefined
        return { said, lock: text, needs: via && readNeeds(via.toString('utf8')) }
      },
    )
    if (lock === undefined) {
      const failure = explainFailure({
        ...{ stderr: said.stderr, index: place.shown, refused: network.refused() },
        ...{ allowBuilds: rules.allowBuilds, before },
        pythonVersion: interpreter.version,
      })
      return { failure, unbuilt: findUnbuilt(said.stderr) }
    }
    const resolved = readPylock(lock).map((one) => ({
      ...(sourceOf(one, built) ?? toResolved(one, place)),
      ...(needs && { dependencies: needs.get(normalizeName(one.name)) ?? [] }),
    }))
    refuseChanged(resolved, kept)
    return { resolved: resolved.sort((a, b) => (a.name < b.name ? -1 : 1)) }
  } finally {
    await network.close()
  }
}

/** Asks the index itself, so that a sandbox is opened for names that exist, and knows where files are. */
async function findFileOrigins(
  requirements: readonly Requirement[],
  before: Date | undefined,
  { place, egress, signal }: ResolveDeps & { signal: AbortSignal },
): Promise<string[]> {
  const pages = await Promise.all(
    requirements.slice(0, 8).map(({ name }) => lookAtIndex(place, name, { egress, signal })),
  )
  if (before && pages.some(({ tellsTimes }) => !tellsTimes)) {
    throw new CoherexError(
      'forbidden',
      `The package index ${place.shown} tells no release times, and the team takes releases of a minimum age only: set that age to 0, or let the operator exempt the index with COHEREX_PACKAGES_UNDATED`,
    )
  }
  return [...new Set(pages.flatMap(({ fileOrigins }) => fileOrigins))]
}

/** The versions of the lock file first, then those of the packages that every program finds. */
function preferred({ packages }: Interpreter, kept: readonly PylockPackage[]): { name: string; version: string }[] {
  const versions = new Map(Object.entries(packages))
  for (const { name, version } of kept) if (version !== undefined) versions.set(name, version)
  return [...versions].map(([name, version]) => ({ name, version }))
}

function sourceOf({ name, version }: PylockPackage, built: readonly Built[]): ResolvedPackage | undefined {
  return built.map(({ source }) => source).find((source) => source.name === name && source.version === version)
}

function pinsOf(locked: readonly PylockPackage[]): string {
  return locked.map(({ name, version }) => (version === undefined ? '' : `${name}==${version}\n`)).join('')
}

function uvEnvironment(place: IndexPlace): Record<string, string> {
  return {
    UV_DEFAULT_INDEX: place.url,
    UV_NO_CONFIG: '1',
    UV_CACHE_DIR: uvCache,
    UV_PYTHON_DOWNLOADS: 'never',
    UV_KEYRING_PROVIDER: 'disabled',
    UV_HTTP_RETRIES: '1',
    UV_HTTP_TIMEOUT: '30',
    // what the operator's machine trusts
    UV_SYSTEM_CERTS: '1',
    UV_NATIVE_TLS: '1',
    NO_COLOR: '1',
    // an index on the operator's machine is not on the sandbox's
    NO_PROXY: '',
    no_proxy: '',
  }
}

function toResolved({ name, version, wheels }: PylockPackage, place: IndexPlace): ResolvedPackage {
  const [wheel] = wheels
  const url = wheel?.url && URL.parse(wheel.url, place.url)
  if (version === undefined || !wheel || !url || !/^https?:$/.test(url.protocol)) {
    throw new CoherexError('invalid_input', `Cannot use ${name}: the package index ${place.shown} has no wheel of it`)
  }
  if (wheel.integrity === undefined) {
    throw new CoherexError(
      'invalid_input',
      `Cannot use ${name} ${version}: the package index ${place.shown} tells no SHA-256 of it, so that nothing could be checked`,
    )
  }
  url.hash = ''
  return { name, version, integrity: wheel.integrity, size: wheel.size, url: withoutCredentials(url.href) }
}

/** A release whose content is not what was locked was changed by someone. */
function refuseChanged(resolved: readonly ResolvedPackage[], kept: readonly PylockPackage[]): void {
  for (const { name, version, integrity, url } of resolved) {
    const before = kept.find((one) => one.name === name && one.version === version)
    const same = before?.wheels.find((wheel) => wheel.url !== undefined && fileName(wheel.url) === fileName(url))
    if (same?.integrity === undefined || same.integrity === integrity) continue
    throw new CoherexError(
      'invalid_input',
      `The hash of ${name} ${version} is not the one in pylock.toml: its release was changed, or the lock belongs to another index. Remove pylock.toml to lock it anew`,
    )
  }
}

function fileName(url: string): string {
  return basename(URL.parse(url)?.pathname ?? url)
}
