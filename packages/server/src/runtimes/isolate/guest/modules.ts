import { mapGet, mapSet, setAdd } from '../../protocol/held-methods.ts'
import { CapabilityError, placeError } from './errors.ts'
import type { ImportAnswer, Start } from './host.ts'

/** The transformed body of a module; what it returns is the value of its last expression. */
export type ModuleBody = (
  exports: object,
  meta: object,
  importModule: (specifier: string, wanted?: { importedNames?: string[] }) => Promise<object>,
  dynamicImport: (specifier: unknown) => Promise<object>,
  exportAll: (from: object) => void,
) => Promise<unknown>

interface Loaded {
  exports: Record<string, unknown>
  /** Settles when the module's body has run. */
  done: Promise<unknown>
  /** Who waits for it: a cycle must not wait for itself. */
  importers: Set<string>
}

interface Sources {
  start: Start
  bodies: readonly (() => unknown)[] | readonly ModuleBody[]
  /** The node:* modules, made when the first of them is imported. */
  builtins: () => Record<string, () => object>
  /** The realm's own eval(). */
  evaluate: (text: string) => unknown
  /** An ImportAnswer as JSON; see host.ts. */
  reach: (specifier: string, from: string) => string
}

/** Loads modules of the program, bundles of packages and the node:* modules, each once. */
export function createModules({ start, bodies, builtins, evaluate: evaluateText, reach }: Sources) {
  const loaded = new Map<string, Loaded>()
  const starExports = createStarExports()

  const isWaitedFor = (id: string, by: string, seen = new Set<string>()): boolean => {
    if (id === by) return true
    if (seen.has(by)) return false
    seen.add(by)
    return [...(mapGet(loaded, by)?.importers ?? [])].some((importer) => isWaitedFor(id, importer, seen))
  }

  const load = async (id: string, importer?: string): Promise<Record<string, unknown>> => {
    const known = mapGet(loaded, id)
    if (known) {
      // in a cycle the half-made exports are handed out, as the standard's live bindings are
      if (importer !== undefined && isWaitedFor(id, importer)) return known.exports
      if (importer !== undefined) setAdd(known.importers, importer)
      await known.done
      return known.exports
    }
    const exports = Object.create(null, { [Symbol.toStringTag]: { value: 'Module' } }) as Record<string, unknown>
    const entry: Loaded = {
      exports,
      done: Promise.resolve(),
      importers: new Set(importer === undefined ? [] : [importer]),
    }
    mapSet(loaded, id, entry)
    entry.done = fill(id, exports)
    await entry.done
    return exports
  }

  const fill = async (id: string, exports: Record<string, unknown>): Promise<unknown> => {
    const value = await evaluate(id, exports)
    nameDefault(exports)
    sortKeys(exports)
    return value
  }

  const evaluate = async (id: string, exports: Record<string, unknown>): Promise<unknown> => {
    const module = ownValue(start.modules, id)
    if (module?.kind === 'json') return define(exports, 'default', JSON.parse(module.text ?? 'null'))
    if (module?.kind === 'builtin') return copyAll(exports, builtins()[id]!())
    const body = module?.text === undefined ? bodies[module?.at ?? -1] : evaluateText(module.text)
    if (!module || !body) throw notAllowed(id)
    if (module.kind === 'bundle') return copyAll(exports, (body as () => object)())

    const resolutions = ownValue(start.resolutions, id) ?? {}
    const resolve = (specifier: string) => ownValue(resolutions, specifier)
    return (body as ModuleBody).call(
      undefined,
      exports,
      Object.freeze({
        url: `file:///${id}`,
        filename: `/${id}`,
        dirname: `/${id.split('/').slice(0, -1).join('/')}`,
        main: id === start.entry,
      }),
      async (specifier, wanted) => {
        const target = resolve(specifier)
        if (target === undefined) throw notAllowed(specifier)
        const imported = await load(target, id)
        const missing = wanted?.importedNames?.find((name) => !Object.hasOwn(imported, name))
        // in a cycle the other module may still be about to have it
        if (missing === undefined || isWaitedFor(target, id)) return imported
        const why = starExports.isAmbiguous(imported, missing)
          ? `contains conflicting star exports for name '${missing}'`
          : `does not provide an export named '${missing}'`
        throw new SyntaxError(`The requested module '${specifier}' ${why}`)
      },
      async (given) => {
        const specifier = String(given)
        return load(resolve(specifier) ?? resolveLater(specifier, id))
      },
      (from) => starExports.add(exports, from as Record<string, unknown>),
    )
  }

  /** What an import() names is read when it is asked for: until then it may be half written. */
  const resolveLater = (specifier: string, from: string): string => {
    const answer = JSON.parse(reach(specifier, from)) as ImportAnswer | null
    if (answer === null) throw notAllowed(specifier)
    if ('error' in answer) throw toError(answer.error)
    copyAll(start.modules, answer.modules)
    copyAll(start.resolutions, answer.resolutions)
    return answer.target
  }

  return {
    /** Runs the entry; its exports and the value of its last expression. */
    async run(): Promise<{ exports: Record<string, unknown>; value: unknown }> {
      const exports = await load(start.entry)
      return { exports, value: await mapGet(loaded, start.entry)?.done }
    },
  }
}

// names come from the program: "constructor" and the like must not find what every object has
function ownValue<Value>(record: Record<string, Value>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined
}

function notAllowed(specifier: string): CapabilityError {
  return new CapabilityError(
    'MODULE_NOT_ALLOWED',
    `Cannot import "${specifier.slice(0, 200)}": it is not a file of this program or an allowed package`,
  )
}

function toError({ kind, message, place }: Extract<ImportAnswer, { error: unknown }>['error']): Error {
  if (kind === 'denied') return new CapabilityError('MODULE_NOT_ALLOWED', message)
  const error = kind === 'syntax' ? new SyntaxError(message) : new Error(message)
  placeError(error, place)
  return error
}

function copyAll(to: object, from: object): void {
  for (const key of Object.keys(from)) define(to, key, (from as Record<string, unknown>)[key])
}

type Exports = Record<string, unknown>

/** What modules have by `export * from`. A name that two of them bring with different values is nobody's. */
function createStarExports() {
  const brought = new Map<Exports, Map<string, Exports | undefined>>()
  return {
    add(exports: Exports, from: Exports): void {
      const names = brought.get(exports) ?? new Map<string, Exports | undefined>()
      brought.set(exports, names)
      for (const key of Object.keys(from)) {
        const other = names.get(key)
        if (other && !isSame(key, other, from)) {
          names.set(key, undefined)
          delete exports[key]
        }
        if (key === 'default' || names.has(key) || Object.hasOwn(exports, key)) continue
        names.set(key, from)
        Object.defineProperty(exports, key, { enumerable: true, configurable: true, get: () => from[key] })
      }
    },
    isAmbiguous: (exports: Exports, key: string): boolean => {
      const names = brought.get(exports)
      return names !== undefined && names.has(key) && names.get(key) === undefined
    },
  }
}

/** Whether it is one binding that came by two ways; in a cycle it may have no value yet. */
function isSame(key: string, one: Exports, other: Exports): boolean {
  try {
    return Object.is(one[key], other[key])
  } catch {
    return true
  }
}

/** The module transform gives a default export without a name one of its own. */
function nameDefault(exports: Exports): void {
  const value = Object.hasOwn(exports, 'default') ? exports['default'] : undefined
  if (typeof value !== 'function' || Object.getOwnPropertyDescriptor(value, 'name')?.value !== ownDefault) return
  Object.defineProperty(value, 'name', { value: 'default', configurable: true })
}

const ownDefault = '__vite_ssr_export_default__'

function sortKeys(exports: Exports): void {
  const keys = Object.keys(exports)
  if (keys.every((key, at) => at === 0 || keys[at - 1]! < key)) return
  for (const key of keys.sort()) {
    const found = Object.getOwnPropertyDescriptor(exports, key)!
    delete exports[key]
    Object.defineProperty(exports, key, found)
  }
}

function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}
