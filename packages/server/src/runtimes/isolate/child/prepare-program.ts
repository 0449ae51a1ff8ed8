import { createHash } from 'node:crypto'
import type { Start } from '../guest/host.ts'
import { isBrief, type IsolateStart } from '../messages.ts'
import { builtinId, isModulePath, resolvePath } from './resolve.ts'
import { positionOf } from './source-positions.ts'
import { ProgramError, transformModule, type TransformedModule } from './transform-module.ts'

/** A program ready to be compiled: the same for the same sources, so it is kept by their hash. */
export interface Prepared {
  modules: Start['modules']
  resolutions: Start['resolutions']
  /** In the order of `at` in modules. */
  scripts: Script[]
  transformed: Map<string, TransformedModule>
  /** Whether it has node:fs, or may get it with a file that an import() brings. */
  usesFs: boolean
  /** Modules that an import() asked for and that cannot be parsed: a position in them is the author's own. */
  unreadable: Set<string>
  /** V8's compiled form, once it was worth keeping; by position in scripts. */
  compiled: Map<number, unknown>
  /** Runs of it in this child, with the present one. */
  runs: number
}

export type Script = { filename: string; text: string } | { bundle: string; filename: string }

export type Files = Map<string, Buffer>

const kept = 200

export function createPreparation() {
  const cache = new Map<string, Prepared>()
  return (program: IsolateStart, files: Files): Prepared => {
    const key = keyOf(program, files)
    const known = cache.get(key)
    const prepared = known ?? prepare(program, files)
    prepared.runs++
    cache.delete(key)
    cache.set(key, prepared)
    if (cache.size > kept) cache.delete(cache.keys().next().value ?? '')
    return prepared
  }
}

function keyOf(program: IsolateStart, files: Files): string {
  const text = JSON.stringify([program.language, program.entry, program.code, program.bundles])
  // what is short is its own key: a hash takes longer to make than all the rest of this
  if (isBrief(program, files.size)) return text
  const hash = createHash('sha256').update(text)
  for (const [path, bytes] of files)
    if (isModulePath(path)) hash.update(JSON.stringify([path, bytes.length])).update(bytes)
  return hash.digest('base64')
}

function prepare(program: IsolateStart, files: Files): Prepared {
  const prepared: Prepared = {
    ...{
      modules: createRecord(),
      resolutions: createRecord(),
      scripts: [],
      transformed: new Map(),
      unreadable: new Set(),
    },
    ...{ compiled: new Map(), runs: 0, usesFs: false },
  }
  const reached = reach(normalise(program.entry), { program, files, prepared, isKnown: () => false })
  for (const [id, { kind, text, bundle }] of Object.entries(reached.modules)) {
    if (kind === 'code' && text !== undefined) prepared.scripts.push({ filename: id, text })
    if (kind === 'bundle' && bundle !== undefined) prepared.scripts.push({ filename: id, bundle })
    const at = prepared.scripts.length - 1
    prepared.modules[id] = kind === 'json' ? { kind, text } : kind === 'builtin' ? { kind } : { kind, at }
  }
  prepared.resolutions = reached.resolutions
  const isImporting = [...prepared.transformed.values()].some(({ hasDynamicImports }) => hasDynamicImports)
  prepared.usesFs =
    ['node:fs', 'node:fs/promises'].some((id) => prepared.modules[id]) ||
    (isImporting && [...files].some(([path, bytes]) => isModulePath(path) && namesFs.test(bytes.toString('utf8'))))
  return prepared
}

const namesFs = /['"](?:node:)?fs(?:\/promises)?['"]/

/** What an import() asks for, with what the guest lacks of it; undefined where there is no such file or package. */
export function reachImport(
  { specifier, from }: { specifier: string; from: string },
  world: World,
): (Reached & { target: string }) | undefined {
  const target = resolveImport(specifier, from, world)
  // only an import that is written out leads to a module of Node's: which ones a program needs is known before it runs
  if (target === undefined || builtinId(target)) return undefined
  if (!target.startsWith('package:')) return { target, ...reach(target, world) }
  const modules: Reached['modules'] = createRecord()
  modules[target] = { kind: 'bundle', bundle: world.program.bundles[specifier]! }
  return { target, modules, resolutions: createRecord() }
}

interface Reached {
  modules: Record<string, { kind: 'code' | 'json' | 'bundle' | 'builtin'; text?: string; bundle?: string }>
  resolutions: Start['resolutions']
}

interface World {
  program: IsolateStart
  files: Files
  prepared: Prepared
  /** Whether the guest has the module already. */
  isKnown(id: string): boolean
}

/** A module with all that it imports by a statement. What an import() names is read when that line runs. */
function reach(root: string, { program, files, prepared, isKnown }: World): Reached {
  const entry = normalise(program.entry)
  const reached: Reached = { modules: createRecord(), resolutions: createRecord() }
  const waiting = [root]

  const visit = (id: string) => {
    if (reached.modules[id] || isKnown(id)) return
    if (id.endsWith('.json') && id !== entry) {
      reached.modules[id] = { kind: 'json', text: readJson(id, files) }
      return
    }
    const text = id === entry ? program.code : (files.get(id)?.toString('utf8') ?? '')
    const isTypeScript = /\.[mc]?ts$/.test(id) || (id === entry && program.language === 'typescript')
    const module = prepared.transformed.get(id) ?? transformModule({ id, text, isTypeScript, isEntry: id === entry })
    prepared.transformed.set(id, module)
    reached.modules[id] = { kind: 'code', text: module.code }
    const resolutions = (reached.resolutions[id] = createRecord<string>())
    for (const specifier of module.imports) {
      const target = resolveImport(specifier, id, { program, files })
      if (target === undefined) throw missing(specifier, id, text)
      resolutions[specifier] = target
      if (!add(target, specifier)) waiting.push(target)
    }
    for (const specifier of module.dynamicImports) {
      const target = resolveImport(specifier, id, { program, files })
      if (target !== undefined && add(target, specifier)) resolutions[specifier] = target
    }
  }
  /** Whether it is none of the program's own files. */
  const add = (target: string, specifier: string): boolean => {
    if (builtinId(target)) reached.modules[target] ??= { kind: 'builtin' }
    else if (target.startsWith('package:'))
      reached.modules[target] ??= { kind: 'bundle', bundle: program.bundles[specifier]! }
    else return false
    return true
  }

  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) visit(id)
  return reached
}
// by the program's own names: "constructor" is one like any other
function createRecord<Value>(): Record<string, Value> {
  return Object.create(null) as Record<string, Value>
}

function resolveImport(
  specifier: string,
  from: string,
  { program, files }: Pick<World, 'program' | 'files'>,
): string | undefined {
  const entry = normalise(program.entry)
  const has = (path: string) => path === entry || (files.has(path) && isModulePath(path))
  if (/^\.{0,2}\//.test(specifier)) return resolvePath(specifier, from, has)
  return builtinId(specifier) ?? (Object.hasOwn(program.bundles, specifier) ? `package:${specifier}` : undefined)
}

function missing(specifier: string, from: string, text: string): ProgramError {
  const isOwn = /^\.{0,2}\//.test(specifier)
  const reason = isOwn ? 'there is no such file in this program' : 'it is not an allowed package or module'
  const message = `Cannot import "${specifier.slice(0, 200)}" from "${from}": ${reason}`
  const at = [`'${specifier}'`, `"${specifier}"`].map((quoted) => text.indexOf(quoted)).find((found) => found >= 0)
  return new ProgramError(
    isOwn ? 'runtime' : 'denied',
    message,
    at === undefined ? undefined : { id: from, ...positionOf(text, at) },
  )
}

function readJson(id: string, files: Files): string {
  const text = files.get(id)?.toString('utf8') ?? ''
  try {
    JSON.parse(text)
    return text
  } catch (error) {
    throw new ProgramError(
      'syntax',
      `Cannot import "${id}": ${error instanceof Error ? error.message : 'it is not JSON'}`,
    )
  }
}

export function normalise(path: string): string {
  return path
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
}
