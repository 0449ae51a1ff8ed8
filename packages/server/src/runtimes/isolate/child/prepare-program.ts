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
  const entry = normalise(program.entry)
  const prepared: Prepared = {
    // by the program's own names: "constructor" is one like any other
    modules: Object.create(null) as Start['modules'],
    resolutions: Object.create(null) as Start['resolutions'],
    scripts: [],
    transformed: new Map(),
    compiled: new Map(),
    runs: 0,
  }
  const has = (path: string) => path === entry || (files.has(path) && isModulePath(path))
  const waiting = [entry]
  let hasDynamicImports = false

  const addScript = (script: Script) => prepared.scripts.push(script) - 1

  const visit = (id: string) => {
    if (prepared.modules[id]) return
    if (id.endsWith('.json') && id !== entry) {
      prepared.modules[id] = { kind: 'json', text: readJson(id, files) }
      return
    }
    const text = id === entry ? program.code : (files.get(id)?.toString('utf8') ?? '')
    const isTypeScript = /\.[mc]?ts$/.test(id) || (id === entry && program.language === 'typescript')
    const module = transformModule({ id, text, isTypeScript, isEntry: id === entry })
    prepared.transformed.set(id, module)
    prepared.modules[id] = { kind: 'code', at: addScript({ filename: id, text: module.code }) }
    hasDynamicImports ||= module.hasDynamicImports
    const resolutions = (prepared.resolutions[id] = Object.create(null) as Record<string, string>)
    for (const specifier of module.imports) {
      const target = resolveImport(specifier, id, program, has)
      if (target === undefined) throw missing(specifier, id, text)
      resolutions[specifier] = target
      add(target, specifier)
    }
    for (const specifier of module.dynamicImports) {
      const target = resolveImport(specifier, id, program, has)
      // what cannot be resolved fails when, and only if, that line runs
      if (target !== undefined) {
        resolutions[specifier] = target
        add(target, specifier)
      }
    }
  }
  const add = (target: string, specifier: string) => {
    if (builtinId(target)) prepared.modules[target] ??= { kind: 'builtin' }
    else if (target.startsWith('package:')) {
      const bundle = program.bundles[specifier]!
      prepared.modules[target] ??= { kind: 'bundle', at: addScript({ bundle, filename: target }) }
    } else waiting.push(target)
  }

  for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
    visit(id)
    // a path made at run time may name any file of the program
    if (waiting.length === 0 && hasDynamicImports) {
      hasDynamicImports = false
      waiting.push(...[...files.keys()].filter((path) => isModulePath(path) && !prepared.modules[path]))
    }
  }
  return prepared
}

function resolveImport(
  specifier: string,
  from: string,
  program: IsolateStart,
  has: (path: string) => boolean,
): string | undefined {
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
