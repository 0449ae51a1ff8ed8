import { CoherexError, type PackageLanguage, type Receipt, type RunRequest } from '@coherex/contract'
import { findMet, isMetBy, readInlineMetadata } from '../../packages/index.ts'
import { allowedPackage, importedPackages, type Program } from '../../runtimes/index.ts'
import { declaredByManifest, declaredByProject } from './declared-packages.ts'

/** What a program needs beyond what is built in. */
export interface NeededPackages {
  language: PackageLanguage
  /** By `packages` of the request: without them it does not run. */
  asked: string[]
  /** By its imports, and by files beside it: where these cannot be had it runs all the same and says so itself. */
  implied: string[]
  /** A lock file beside the code. */
  lockFile: string | undefined
  /** A file of the program names what is implied. */
  isDeclared: boolean
}

export interface SplitPackages {
  /** Names that every server has. */
  builtIn: string[]
  /** What does for the requirements of a Python program that needs no registry. */
  base: NonNullable<Receipt['base']>
  needed: NeededPackages | undefined
  /** What the script says it needs and cannot be read: it runs without, and its output says so. */
  unread?: string
}

const scripts = new Set(['javascript', 'typescript', 'node'])
const mostImplied = 300

/** What Python has before anybody asks for a package, versions by name. */
export interface PythonPackages {
  /** The base stack. */
  packages?: Readonly<Record<string, string>>
  /** The operator's own. A registry is never asked for these: it may have others of the same names. */
  offered?: Readonly<Record<string, string>>
}

/** Tells packages that are built in from those that a registry has. */
export function splitPackages(
  { packages = [], sandboxId }: RunRequest,
  program: Program,
  { packages: base = {}, offered = {} }: PythonPackages = {},
): SplitPackages {
  if (scripts.has(program.language)) return ofScript(packages, program, sandboxId !== undefined)
  if (program.language === 'python') {
    const isElsewhere = (one: string) => !isMetBy(offered, one)
    const { inline, ...unread } = readInline(program.code)
    const needed = ofPython(packages.filter(isElsewhere), { program, inline }, isElsewhere)
    const wanted = [...(needed?.asked ?? []), ...(needed?.implied ?? [])]
    const met = wanted.flatMap((one) => findMet(base, one) ?? [])
    if (met.length < wanted.length) return { builtIn: [], base: [], needed, ...unread }
    const ofOperator = packages.flatMap((one) => findMet(offered, one) ?? [])
    const byName = new Map([...ofOperator, ...met].map((one) => [one.name, one]))
    return { builtIn: [], base: [...byName.values()], needed: undefined, ...unread }
  }
  return { builtIn: packages, base: [], needed: undefined }
}

/** Packages of npm that were asked for: code may make up their names, so no import can be looked for. */
export function namesAsked(needed: NeededPackages | undefined): string[] {
  return needed?.language === 'javascript' ? needed.asked.map(nameOf) : []
}

function ofScript(packages: readonly string[], program: Program, isCell: boolean): SplitPackages {
  // a session has what was added to its sandbox, and not the list
  const isBuiltIn = (name: string) => !isCell && allowedPackage(name) !== undefined
  const builtIn = packages.filter(isBuiltIn)
  const asked = packages.filter((name) => !isBuiltIn(name))
  const imports = importedPackages(program)
  const declared = imports.length > 0 ? declaredByManifest((file) => textBeside(program, file)) : []
  const isDeclared = imports.some(({ name }) => declared.some((one) => nameOf(one) === name))
  const known = new Set([...asked, ...(isDeclared ? declared : [])].map(nameOf))
  const wanted = imports.flatMap(({ name, range, specifier }) => {
    if (range !== '') return [`${name}@${range}`]
    return known.has(name) || allowedPackage(specifier) !== undefined ? [] : [name]
  })
  const pinned = new Set(wanted.filter((one) => one !== nameOf(one)).map(nameOf))
  const implied = [...(isDeclared ? declared : []), ...wanted.filter((one) => one !== nameOf(one) || !pinned.has(one))]
  const lockFile = isDeclared ? textBeside(program, 'package-lock.json') : undefined
  return { builtIn, base: [], needed: neededOf('javascript', asked, { implied, lockFile, isDeclared }) }
}

function ofPython(
  asked: readonly string[],
  { program, inline }: { program: Program; inline: string[] | undefined },
  isElsewhere: (requirement: string) => boolean,
): NeededPackages | undefined {
  // what the script itself says comes before files beside it, as with other tools
  if (inline)
    return neededOf('python', asked, {
      implied: inline.filter(isElsewhere),
      ...{ lockFile: undefined, isDeclared: false },
    })
  const implied = declaredByProject((file) => textBeside(program, file)).filter(isElsewhere)
  const isDeclared = implied.length > 0
  const lockFile = isDeclared || asked.length > 0 ? textBeside(program, 'pylock.toml') : undefined
  return neededOf('python', asked, { implied, lockFile, isDeclared })
}

/** A block in a script is there for its packages and nothing else, so one that cannot be read is told. */
function readInline(code: string): { inline?: string[]; unread?: string } {
  try {
    const found = readInlineMetadata(code)
    if (!found) return {}
    const { requirements, ignored } = found
    const named = ignored.map((one) => `"${one.slice(0, 200)}"`).join(', ')
    return {
      inline: requirements,
      ...(ignored.length > 0 && { unread: `${named.slice(0, 1_000)}: a script names packages by name and version` }),
    }
  } catch (error) {
    if (error instanceof CoherexError) return { unread: error.message }
    throw error
  }
}

function neededOf(
  language: PackageLanguage,
  asked: readonly string[],
  { implied, ...rest }: Pick<NeededPackages, 'implied' | 'lockFile' | 'isDeclared'>,
): NeededPackages | undefined {
  if (asked.length === 0 && implied.length === 0) return undefined
  return { language, asked: [...asked], implied: [...new Set(implied)].slice(0, mostImplied), ...rest }
}

/** A file in the entry's folder, or in the nearest one above it that has it. */
function textBeside({ entry, files }: Program, file: string): string | undefined {
  const folders = entry.split('/').slice(0, -1)
  for (let depth = folders.length; depth >= 0; depth--) {
    const path = [...folders.slice(0, depth), file].join('/')
    const content = Object.hasOwn(files, path) ? files[path] : undefined
    if (typeof content === 'string') return content
  }
  return undefined
}

/** Of a requirement as npm writes it. */
function nameOf(requirement: string): string {
  return requirement.replace(/^npm:/, '').replace(/(.)@.*$/, '$1')
}
