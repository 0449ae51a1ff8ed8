import { CoherexError } from '@coherex/contract'
import { parse, stringify, TomlError } from 'smol-toml'
import { z } from 'zod'
import type { ResolvedPackage } from '../package-source.ts'
import { normalizeName } from './requirement.ts'

const file = z.object({
  url: z.string().max(4000).optional(),
  path: z.string().max(1000).optional(),
  name: z.string().max(300).optional(),
  size: z.number().int().min(0).optional(),
  hashes: z.record(z.string(), z.string()),
})
const lockFile = z.object({
  'lock-version': z.string().regex(/^1\./),
  packages: z
    .array(
      z.object({
        name: z.string().min(1).max(200),
        version: z.string().min(1).max(100).optional(),
        wheels: z.array(file).max(200).optional(),
        sdist: file.optional(),
      }),
    )
    .max(2000)
    .default([]),
})

/** A package of pylock.toml (PEP 751), whoever wrote that. */
export interface PylockPackage {
  name: string
  version: string | undefined
  wheels: PylockFile[]
  sdist?: PylockFile
}

export interface PylockFile {
  url?: string
  path?: string
  /** As in subresource integrity; undefined without a SHA-256. */
  integrity: string | undefined
  size: number | null
}

// parsed where others wait
const maxText = 600_000

export function readPylock(text: string): PylockPackage[] {
  if (text.length > maxText) throw wrong('it is longer than 600 kB')
  let parsed: unknown
  try {
    parsed = parse(text)
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw wrong(`line ${error.line} is not TOML`)
  }
  const read = lockFile.safeParse(parsed)
  if (!read.success) throw wrong(`${read.error.issues[0]?.path.join('.') || 'it'} is not as PEP 751 has it`)
  return read.data.packages.map(({ name, version, wheels = [], sdist }) => ({
    name: normalizeName(name),
    version,
    wheels: wheels.map(toFile),
    ...(sdist && { sdist: toFile(sdist) }),
  }))
}

function toFile({ url, path, size, hashes }: z.infer<typeof file>): PylockFile {
  const sha256 = hashes['sha256']
  const isHex = sha256 !== undefined && /^[0-9a-f]{64}$/i.test(sha256)
  return {
    ...(url !== undefined && { url }),
    ...(path !== undefined && { path }),
    integrity: isHex ? `sha256-${Buffer.from(sha256, 'hex').toString('base64')}` : undefined,
    size: size ?? null,
  }
}

/** What other tools (pip, uv, pdm) install the same packages from. */
export function writePylock(packages: readonly ResolvedPackage[], requiresPython?: string): string {
  const sorted = [...packages].sort((a, b) => (a.name < b.name ? -1 : 1))
  return stringify({
    'lock-version': '1.0',
    'created-by': 'coherex',
    ...(requiresPython && { 'requires-python': requiresPython }),
    packages: sorted.map(({ name, version, url, integrity, size, isSource }) => {
      const archive = {
        name: decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''),
        url: new URL(url).href,
        ...(size !== null && { size }),
        hashes: { sha256: Buffer.from(integrity.replace(/^sha256-/, ''), 'base64').toString('hex') },
      }
      return { name, version, ...(isSource ? { sdist: archive } : { wheels: [archive] }) }
    }),
  })
}

/** Versions a resolver is to prefer, in the form of a lock that it wrote before. */
export function writePreferences(versions: Iterable<{ name: string; version: string }>): string {
  const packages = [...versions].map(({ name, version }) => ({ name, version }))
  return stringify({ 'lock-version': '1.0', 'created-by': 'coherex', packages })
}

function wrong(why: string): CoherexError {
  return new CoherexError('invalid_input', `Cannot read pylock.toml: ${why}`)
}
