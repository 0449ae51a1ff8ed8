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

  const isWaitedFor = (id: string, by: string, seen = new Set<string>()): boolean => {
    if (id === by) return true
    if (seen.has(by)) return false
    seen.add(by)
    return [...(loaded.get(by)?.importers ?? [])].some((importer) => isWaitedFor(id, importer, seen))
  }

  const load = async (id: string, importer?: string): Promise<Record<string, unknown>> => {
    const known = loaded.get(id)
    if (known) {
      // in a cycle the half-made exports are handed out, as the standard's live bindings are
      if (importer !== undefined && isWaitedFor(id, importer)) return known.exports
      if (importer !== undefined) known.importers.add(importer)
      await known.done
      return known.exports
    }
    const exports = Object.create(null, { [Symbol.toStringTag]: { value: 'Module' } }) as Record<string, unknown>
    const entry: Loaded = {
      exports,
      done: Promise.resolve(),
      importers: new Set(importer === undefined ? [] : [importer]),
    }
    loaded.set(id, entry)
    entry.done = evaluate(id, exports)
    await entry.done
    return exports
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
        throw new SyntaxError(`The requested module '${specifier}' does not provide an export named '${missing}'`)
      },
      async (given) => {
        const specifier = String(given)
        return load(resolve(specifier) ?? resolveLater(specifier, id))
      },
      (from) => reexport(exports, from),
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
      return { exports, value: await loaded.get(start.entry)?.done }
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

function reexport(exports: object, from: object): void {
  for (const key of Object.keys(from)) {
    if (key === 'default' || Object.hasOwn(exports, key)) continue
    Object.defineProperty(exports, key, {
      enumerable: true,
      configurable: true,
      get: () => (from as Record<string, unknown>)[key],
    })
  }
}

function define(target: object, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}
