import { z } from 'zod'
import { text } from '../wire/text.ts'
import { moment } from '../wire/time.ts'

/** Where packages come from: npm for JavaScript and TypeScript, PyPI for Python. */
export const packageLanguage = z.enum(['javascript', 'python'])
export type PackageLanguage = z.infer<typeof packageLanguage>

/** As people write it: `es-toolkit@1`, `npm:es-toolkit@1.39`, `polars>=1`. Never an address or a path. */
export const requirement = text().min(1).max(214)
export const requirements = z.array(requirement).max(50)

const lockedPackage = z.object({
  name: z.string(),
  version: z.string(),
  /** As in subresource integrity: `sha512-…` or `sha256-…`, in Base64. */
  integrity: z.string(),
  /** Bytes of the archive; null where the registry does not tell. */
  size: z.number().nullable(),
  /** Names of the packages it needs or can use, where that is known. */
  dependencies: z.array(z.string()).optional(),
})
export type LockedPackage = z.infer<typeof lockedPackage>

/** What requirements were resolved to. The hash names its content and nothing else. */
export const packageLock = z.object({
  hash: z.string(),
  language: packageLanguage,
  requirements: z.array(z.string()),
  packages: z.array(lockedPackage),
})
export type PackageLock = z.infer<typeof packageLock>

/** What members of a team may add. */
export const packagePolicy = z.strictObject({
  mode: z.enum(['any', 'listed', 'none']),
  /** For `listed`: requirements with `*` in names, such as `@types/*`, `es-toolkit@1`, `polars>=1`. */
  allow: z.array(requirement).max(500),
  /** A release must be this old. */
  minimumAgeDays: z.number().min(0).max(365),
  /** Build source distributions of Python packages, in a sandbox without network. */
  allowBuilds: z.boolean(),
  /** Of one lock, unpacked. */
  maxMb: z.number().int().min(1).max(10_000),
})
export type PackagePolicy = z.infer<typeof packagePolicy>

export const defaultPackagePolicy: PackagePolicy = {
  mode: 'any',
  allow: [],
  minimumAgeDays: 2,
  allowBuilds: false,
  maxMb: 2000,
}

/** A lock of the team, as it is kept. */
export const packageSet = packageLock.extend({
  /** Bytes on disk; null while it is not laid out. */
  diskBytes: z.number().nullable(),
  askedBy: z.string().nullable(),
  createdAt: moment,
  lastUsedAt: moment,
  /** What keeps it from being pruned. */
  usedBy: z.array(
    z.object({
      // what the caller does not see has no name here
      kind: z.enum(['workspace', 'template', 'sandbox', 'tool', 'private']),
      id: z.string(),
      name: z.string(),
    }),
  ),
})
export type PackageSet = z.infer<typeof packageSet>

/** What a registry says of one package. */
export const packageInfo = z.object({
  name: z.string(),
  summary: z.string(),
  /** Newest first, at most 50. */
  versions: z.array(z.object({ version: z.string(), publishedAt: moment.nullable(), size: z.number().nullable() })),
})
export type PackageInfo = z.infer<typeof packageInfo>

const browserWheel = z.object({
  name: z.string(),
  version: z.string(),
  /** The name of its file. */
  file: z.string(),
  /** SHA-256, in hex. */
  hash: z.string(),
  size: z.number(),
})
export type BrowserWheel = z.infer<typeof browserWheel>

/** What a browser needs for modules that its Python does not have. */
export const browserWheels = z.object({
  wheels: z.array(browserWheel),
  missing: z.array(z.object({ module: z.string(), why: z.string() })),
})
export type BrowserWheels = z.infer<typeof browserWheels>

/** What packages say of their types, as an editor reads it. */
export const packageTypes = z.object({
  entries: z.record(z.string(), z.string()).describe('Import → path of the file that answers it'),
  files: z.array(z.object({ path: z.string(), text: z.string() })),
  isPartial: z.boolean().describe('There was more than an editor is given'),
})
export type PackageTypes = z.infer<typeof packageTypes>

/** Packages of npm for a page that has no network. */
export const browserBundle = z.object({
  /** A function in JavaScript: it takes `require` for React, and gives what each import has. Empty where none could be had. */
  code: z.string(),
  missing: z.array(z.object({ module: z.string(), why: z.string() })),
})
export type BrowserBundle = z.infer<typeof browserBundle>
