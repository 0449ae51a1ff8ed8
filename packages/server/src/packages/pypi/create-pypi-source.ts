import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { CoherexError } from '@coherex/contract'
import type { Egress } from '../../egress/index.ts'
import type { Sandbox, SandboxSpec } from '../../runtimes/index.ts'
import { type ArchiveHost, fetchArchive } from '../archives/index.ts'
import type { PackageSource, ResolvedPackage } from '../package-source.ts'
import { buildSource } from './build-source.ts'
import { compileBytecode } from './compile-bytecode.ts'
import { type IndexPlace, readIndexPlace } from './index/index-place.ts'
import { readPackageInfo } from './index/package-info.ts'
import { type Interpreter, platformOf } from './interpreter.ts'
import { areKept, layOut } from './lay-out.ts'
import { writePylock } from './pylock.ts'
import { parseRequirements } from './requirement.ts'
import { resolveRequirements } from './resolve-requirements.ts'
import { runInside, withSandbox, writeInside } from './resolver-sandbox.ts'
import { WheelStore } from './wheel-store.ts'

export interface PypiSourceDeps {
  open(spec: SandboxSpec): Promise<Sandbox>
  egress: Egress
  /** The program on the host; undefined where the machine has none. */
  uv: string | undefined
  interpreter: Interpreter
  /** Of the operator; undefined for the one that uv uses by itself. */
  index: string | undefined
  /** Why no index is to be asked, such as a setting of the machine. */
  offline?: string | undefined
  /** The index tells no release times, and the operator takes it as it is. */
  isAgeless?: boolean
  /** Where wheels are kept unpacked; on the file system of the sets. */
  storeDirectory: string
}

const maxSource = 200_000_000
const maxTools = 500_000_000

/** Python packages, resolved by uv in a sandbox, from one index. */
export function createPypiSource(deps: PypiSourceDeps): PackageSource & Required<Pick<PackageSource, 'fetch'>> {
  const { open, egress, uv, interpreter, index, offline, isAgeless = false, storeDirectory } = deps
  const store = new WheelStore(storeDirectory)
  let known: Promise<IndexPlace> | undefined

  const unavailable = () => {
    if (offline !== undefined) return offline
    if (uv === undefined || !existsSync(uv)) {
      return 'uv is missing, which resolves Python packages: npm start installs it where a Python package index can be reached'
    }
    return undefined
  }
  const program = (): string => {
    const reason = unavailable()
    if (reason !== undefined || uv === undefined) {
      throw new CoherexError('unavailable', `Cannot add Python packages: ${reason}`)
    }
    return uv
  }

  const learn = () => {
    known ??= ask().catch((error: unknown) => {
      known = undefined
      throw error
    })
    return known
  }
  const ask = async (): Promise<IndexPlace> => {
    if (index !== undefined) return readIndexPlace(index, true)
    const signal = AbortSignal.timeout(120_000)
    const address = await withSandbox({ open, shown: dirname(program()), signal }, (sandbox) =>
      defaultIndex(sandbox, interpreter.python),
    )
    if (address !== undefined) return readIndexPlace(address, true)
    throw new CoherexError(
      'unavailable',
      'Cannot add Python packages: uv names no package index of its own; set one with COHEREX_PYPI_INDEX',
    )
  }

  const resolving = (place: IndexPlace, uvPath: string, signal: AbortSignal) => ({
    ...{ open, egress, uv: uvPath, interpreter, place, isAgeless, signal },
    build: (source: ResolvedPackage, before: Date | undefined) => build(source, place, before, signal),
  })
  const placeOf = async (address: string | undefined): Promise<IndexPlace> => {
    const own = await learn()
    return address === undefined ? own : readIndexPlace(address, address === own.url)
  }
  const hostsOf = ({ origin, headers, isOperators }: IndexPlace): ArchiveHost[] => [
    { origin, headers: () => headers, ...(!isOperators && { isTeams: true }) },
  ]
  const laying = (place: IndexPlace | undefined) => ({
    ...{ egress, store, interpreter, hosts: place ? hostsOf(place) : [], owner: place && ownerOf(place) },
    compile: (unpacked: string, file: string, signal: AbortSignal) =>
      compileBytecode(unpacked, file, { open, python: interpreter.python, signal }),
  })

  const build = (
    source: ResolvedPackage,
    place: IndexPlace,
    before: Date | undefined,
    signal: AbortSignal,
  ): Promise<string> => {
    // what tools of a team's index made is that index's
    const owner = ownerOf(place)
    return buildSource(source, {
      ...{ open, python: interpreter.python, pythonVersion: interpreter.version, signal },
      directory: join(storeDirectory, owner === undefined ? 'built' : `built-${owner}`),
      async fetch({ url, integrity }, file) {
        await fetchArchive({ url, integrity, maxBytes: maxSource }, file, { egress, hosts: hostsOf(place), signal })
      },
      async layOutTools(requirements, directory) {
        const rules = { allowBuilds: false, ...(before && { before }) }
        const tools = await resolveRequirements(
          parseRequirements(requirements),
          rules,
          resolving(place, program(), signal),
        )
        await layOut(tools, directory, {
          ...{ ...laying(place), maxBytes: maxTools, allowBuilds: false, signal, onProgress() {} },
          build: (tool) => Promise.reject(notBuilt(tool)),
        })
      },
    })
  }

  return {
    language: 'python',
    platform: platformOf(interpreter),
    unavailable,
    isKept: (packages) => areKept(packages, { store, interpreter }),
    freeUnused: () => store.freeUnused(),
    async resolve(requirements, rules, signal) {
      const wanted = parseRequirements(requirements)
      const uvPath = program()
      const place = await placeOf(rules.index)
      return resolveRequirements(wanted, rules, resolving(place, uvPath, signal))
    },
    async layOut(packages, directory, options) {
      const isKept = options.index === undefined && (await areKept(packages, { store, interpreter }))
      if (isKept) {
        // no index is asked for these, wherever it is
        const kept = { ...laying(undefined), build: (source: ResolvedPackage) => Promise.reject(notBuilt(source)) }
        return layOut(packages, directory, { ...kept, ...options })
      }
      const place = await placeOf(options.index)
      if (offline !== undefined) throw new CoherexError('unavailable', `Cannot fetch Python packages: ${offline}`)
      return layOut(packages, directory, {
        ...{ ...laying(place), ...options },
        build: (source, signal) =>
          options.allowBuilds ? build(source, place, undefined, signal) : Promise.reject(notBuilt(source)),
      })
    },
    async fetch({ url, integrity }, file, { maxBytes, signal }) {
      const hosts = hostsOf(await learn())
      return fetchArchive({ url, integrity, maxBytes }, file, { egress, hosts, signal })
    },
    async info(name, signal) {
      program()
      const [requirement] = parseRequirements([name])
      const place = await learn()
      return readPackageInfo(place, requirement?.name ?? name, { egress, signal })
    },
    toLockFile: (_, packages) => ({ path: 'pylock.toml', text: writePylock(packages) }),
  }
}

/** Whoever has the address of a team's index, with its password, may have what came from there. */
function ownerOf({ url, isOperators }: IndexPlace): string | undefined {
  return isOperators ? undefined : createHash('sha256').update(url).digest('hex').slice(0, 16)
}

/** As uv itself has it: no file of ours names one. */
async function defaultIndex(sandbox: Sandbox, python: string): Promise<string | undefined> {
  await writeInside(sandbox, 'none.in', '')
  const argv = [
    '/opt/template/uv',
    'pip',
    'compile',
    'none.in',
    '--offline',
    '--quiet',
    '--no-header',
    '--emit-index-url',
  ]
  const { stdout } = await runInside(sandbox, [...argv, '--python', python], {
    env: { UV_NO_CONFIG: '1', UV_CACHE_DIR: '/tmp/uv' },
  })
  return /^--index-url (\S+)$/m.exec(stdout)?.[1]
}

function notBuilt({ name, version }: ResolvedPackage): CoherexError {
  return new CoherexError(
    'forbidden',
    `Cannot add ${name} ${version}: it is a source distribution, and builds are not allowed`,
  )
}
