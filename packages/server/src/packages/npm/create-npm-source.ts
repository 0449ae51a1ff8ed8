import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CoherexError, type PackageInfo, packageInfo } from '@coherex/contract'
import { z } from 'zod'
import { type Egress, operatorRules, teamRules } from '../../egress/index.ts'
import type { Launcher } from '../../runtimes/index.ts'
import type { PackageSource } from '../package-source.ts'
import type { DocumentSource } from './document-relay.ts'
import { layOutNodeModules } from './lay-out.ts'
import { NpmSandbox } from './npm-sandbox.ts'
import { archiveUrl, credentialsFor, type NpmSettings, originsOf, registryOf } from './npm-settings.ts'
import { readRequirements } from './read-requirements.ts'
import { toLockFile } from './to-lock-file.ts'
import { UnpackedPackages } from './unpacked-packages.ts'

export interface NpmSourceDeps {
  egress: Egress
  launcher: Launcher
  settings: NpmSettings
  /** What runs in the sandbox is put here. Sandbox users must be able to reach it. */
  cacheDir: string
  /** Packages are kept here, on the file system of the sets. */
  directory: string
  /** Whether the operator trusts a registry that does not tell when something was released. */
  mayLackTimes?: boolean
}

const place = /^(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*(?:\/node_modules\/(?:@[\w~-][\w.~-]*\/)?[\w~-][\w.~-]*)*$/
const mostPackages = 2000
// what the sandbox says was made of what strangers published
const resolved = z
  .array(
    z.object({
      name: z.string().max(214),
      version: z.string().max(100),
      integrity: z.string().min(1).max(1000),
      size: z.number().nullable(),
      url: z.string().max(2000),
      places: z.array(z.string().max(1000).regex(place)).min(1).max(1000),
      manifest: z.record(z.string(), z.unknown()),
    }),
  )
  .max(mostPackages)

/** Packages of npm's registry, or of the one that npm is configured for on this machine. */
export function createNpmSource(deps: NpmSourceDeps): PackageSource {
  const { egress, settings, mayLackTimes = false } = deps
  const sandbox = new NpmSandbox(deps)
  const unpacked = new UnpackedPackages(join(deps.directory, 'unpacked'))
  const hosts = originsOf(settings).map((origin) => ({ origin, headers: (url: URL) => credentialsFor(url, settings) }))
  const origins = originsOf(settings).map((origin) => `${origin}/`)

  /** A registry that a team chose is a stranger, and sees nothing of the machine's. */
  function documentsOf(index: string | undefined): DocumentSource {
    if (index === undefined) {
      return {
        outbound: egress.outbound({
          rules: operatorRules({ allow: origins, limits: { headersMs: 60_000 } }),
          keepsConnections: true,
        }),
        urlOf: (name) => addressOf(registryOf(name, settings), name),
        headersFor: (url) => credentialsFor(url, settings),
      }
    }
    const registry = URL.parse(index)
    if (!registry || !/^https?:$/.test(registry.protocol))
      throw new CoherexError('invalid_input', `The registry "${index.slice(0, 200)}" is not a web address`)
    const limits = { headersMs: 60_000, totalMs: 120_000, bodyBytes: 100_000_000 }
    return {
      outbound: egress.outbound({
        rules: teamRules({ allow: [`${registry.origin}/`], limits }),
        keepsConnections: true,
      }),
      urlOf: (name) => addressOf(registry.href, name),
      headersFor: () => [],
    }
  }

  async function askSandbox(task: Parameters<NpmSandbox['run']>[0], index: string | undefined, signal: AbortSignal) {
    const missing = sandbox.unavailable()
    if (missing) throw new CoherexError('unavailable', `Packages cannot be resolved: ${missing}`)
    const documents = documentsOf(index)
    try {
      return await sandbox.run(task, documents, signal)
    } catch (error) {
      if (!(error instanceof CoherexError)) throw error
      if (error.code === 'unavailable') throw unreachable(error, index ?? settings.registry)
      if (error.code !== 'forbidden') throw error
      throw new CoherexError(
        'forbidden',
        `${error.message}. Whoever runs this server can exempt it with COHEREX_PACKAGES_UNDATED, or an admin can set the minimum age to 0.`,
      )
    }
  }

  return {
    language: 'javascript',
    unavailable: () => sandbox.unavailable(),
    async resolve(requirements, { before, index, lockFile }, signal) {
      const dependencies = readRequirements(requirements)
      if (Object.keys(dependencies).length === 0) return []
      const answer = await askSandbox(
        {
          kind: 'resolve',
          dependencies,
          mayLackTimes,
          ...(before && { before: before.toISOString() }),
          ...(lockFile !== undefined && { lockFile }),
        },
        index,
        signal,
      )
      const { data, error } = resolved.safeParse(answer)
      if (data) {
        return data.map((found) => ({
          ...found,
          // several kinds come with spaces between, and some at the end
          integrity: found.integrity.trim(),
          url: index === undefined ? archiveUrl(found.url, found.name, settings) : found.url,
        }))
      }
      throw new CoherexError(
        'invalid_input',
        'The packages cannot be used: what the registry says of them is not valid',
        {
          cause: error,
        },
      )
    },
    async layOut(packages, directory, options) {
      await mkdir(unpacked.directory, { recursive: true, mode: 0o700 })
      const machinery = { egress, unpacked, hosts: options.index === undefined ? hosts : [] }
      return layOutNodeModules(packages, directory, { ...options, ...machinery })
    },
    freeUnused: () => unpacked.freeUnused(),
    async info(name, signal): Promise<PackageInfo | undefined> {
      readRequirements([name])
      return packageInfo.optional().parse((await askSandbox({ kind: 'info', name }, undefined, signal)) ?? undefined)
    },
    toLockFile,
  }
}

/** As npm asks for it: the slash of a scope is part of the name. */
function addressOf(registry: string, name: string): string {
  return `${registry}${registry.endsWith('/') ? '' : '/'}${name.replace('/', '%2f')}`
}

function unreachable(error: CoherexError, registry: string): CoherexError {
  const host = URL.parse(registry)?.host ?? ''
  return new CoherexError(
    'unavailable',
    `${error.message} (${host}). What is fetched already can still be used; COHEREX_NPM_REGISTRY names another registry.`,
    { retryAfterSeconds: 30, cause: error },
  )
}
