import { fromWire } from '../../protocol/value.ts'
import { createCalls, createEnv } from './capabilities.ts'
import { coarsenDate, coarsenTemporal, createPerformance, define, fixNow, now } from './clock.ts'
import type { createConsole } from './console.ts'
import { CapabilityError, describeError } from './errors.ts'
import type { Extras, ExtrasParts } from './extras.ts'
import { fixRandom } from './fix-random.ts'
import type { Ending, Host, Start } from './host.ts'
import { createModules, type ModuleBody } from './modules.ts'
import { createOutput } from './output.ts'
import { encodeResult, ResultError } from './result.ts'
import { createTimers } from './timers.ts'

/** What the child calls in a fresh isolate: to start the program, and when a timer or an answer is due. */
export type Enter = (kind: 'start' | 'timer' | 'answer' | 'wait', text: string, id: number, ...rest: unknown[]) => void

/** What hold-builtins.ts took: classes and namespaces by name, and functions of classes. */
type Builtins = [classes: object, functions: object]

// made only when somebody asks for one of them: most programs never do, and each costs time in every isolate
const lazyGlobals = [
  ...[
    'AbortController',
    'AbortSignal',
    'Buffer',
    'DOMException',
    'Event',
    'EventTarget',
    'Headers',
    'Request',
    'Response',
  ],
  ...['TextDecoder', 'TextEncoder', 'URL', 'URLSearchParams', 'atob', 'btoa', 'crypto', 'structuredClone'],
] as const

/**
 * Furnishes a bare realm. All of this runs once, into a snapshot; only `attach` runs in each isolate, with the functions
 * of its child.
 */
export function furnish(realm: Record<string, unknown>, builtins: Builtins) {
  let host: Host
  const lateHost: Host = {
    output: (stream, text) => host.output(stream, text),
    cut: () => host.cut(),
    display: (data) => host.display(data),
    call: (id, capability, method, args) => host.call(id, capability, method, args),
    callSync: (capability, method, args) => host.callSync(capability, method, args),
    scratch: (method, args) => host.scratch(method, args),
    setTimer: (id, delayMs) => host.setTimer(id, delayMs),
    clearTimer: (id) => host.clearTimer(id),
    holdTimer: (id, isHeld) => host.holdTimer(id, isHeld),
    parseUrl: (url, base) => host.parseUrl(url, base),
    changeUrl: (url, part, value) => host.changeUrl(url, part, value),
    random: (bytes) => host.random(bytes),
    settle: (ending) => host.settle(ending),
    reach: (specifier, from) => host.reach(specifier, from),
    part: (name) => host.part(name),
  }
  const evaluate = eval
  // a part is compiled when the program runs already, and gets what was there before it
  const load = (name: 'console' | 'extras') =>
    (evaluate(host.part(name)) as (...given: Builtins) => unknown)(builtins[0], builtins[1])
  const output = createOutput(lateHost, now)
  const { fire, ...timers } = createTimers(lateHost)
  const calls = createCalls(lateHost)
  const { performance, restart } = createPerformance()

  let extras: Extras | undefined
  const loadExtras = (): Extras => {
    if (extras) return extras
    const create = load('extras') as (parts: ExtrasParts) => Extras
    extras = create({ host: lateHost, calls, setTimeout: timers.setTimeout, CapabilityError })
    return extras
  }

  const later = async (callback: () => void) => {
    await Promise.resolve()
    callback()
  }
  const globals: Record<string, unknown> = {
    ...timers,
    performance,
    queueMicrotask: (callback: () => void) => {
      if (typeof callback !== 'function') throw new TypeError('queueMicrotask: the callback is not a function')
      void later(callback)
    },
  }
  for (const [name, value] of Object.entries(globals)) define(realm, name, value)
  defineLazily(realm, 'console', () => {
    const create = load('console') as typeof createConsole
    return create(output.print, now, (data, columns) => loadExtras().table(data, columns))
  })
  for (const name of lazyGlobals) defineLazily(realm, name, () => loadExtras().globals[name])

  const run = async (start: Start, bodies: ModuleBody[]): Promise<Ending> => {
    try {
      const env = createEnv(calls, start.capabilities, start.vars)
      const input = start.input === undefined ? undefined : fromWire(start.input)
      const builtins = () => loadExtras().createBuiltins({ start, env, input, display: realm['display'] })
      const hasNetwork = start.capabilities['FETCH'] !== undefined
      define(realm, 'fetch', (...args: [unknown]) => loadExtras()[hasNetwork ? 'fetch' : 'refuseFetch'](...args))
      define(realm, 'env', env)
      define(realm, 'input', input)
      defineLazily(realm, 'display', () => loadExtras().createDisplay(start.resultBytes))
      const { exports, value } = await createModules({ start, bodies, builtins, evaluate, reach: lateHost.reach }).run()
      const program = Object.hasOwn(exports, 'default') ? exports['default'] : undefined
      const isScript = typeof program !== 'function'
      const result: unknown =
        typeof program === 'function'
          ? await program(env, input)
          : program === undefined
            ? value
            : await (program as PromiseLike<unknown>)
      const text = encodeResult(result, start.resultBytes)
      return text === undefined ? { ok: true, isScript } : { ok: true, isScript, result: text }
    } catch (error) {
      const described = describeError(error)
      if (error instanceof ResultError) described.kind = 'output'
      return { ok: false, error: described }
    }
  }

  // awaited, not by then(), which is the program's to replace
  const settle = async (start: Start, bodies: ModuleBody[]) => host.settle(JSON.stringify(await run(start, bodies)))

  const enter: Enter = (kind, text, id, ...rest) => {
    if (kind === 'answer') return calls.answer(id, text)
    if (kind === 'wait') {
      const door = rest[0] as Wait
      host.callSync = (capability, method, args) => door.applySyncPromise(undefined, [capability, method, args])
      return
    }
    if (kind === 'start') {
      const start = JSON.parse(text) as Start
      output.limit(start.outputBytes)
      if (start.fixed) {
        fixNow(start.fixed.now)
        fixRandom(start.fixed.random)
      }
      restart()
      return void settle(start, rest as ModuleBody[])
    }
    // where the clock is fixed, a timer brings its time
    if (text !== '') fixNow(Number(text))
    try {
      fire(id)
    } catch (error) {
      const ending: Ending = { ok: false, error: describeError(error) }
      host.settle(JSON.stringify(ending))
    }
  }

  coarsenDate(realm)

  return (post: Post, ask: Ask): Enter => {
    delete realm['__coherex']
    host = createHost(post, ask)
    // V8 puts these into every context after the snapshot, so they go here
    for (const name of ['SharedArrayBuffer', 'Atomics', 'WebAssembly']) delete realm[name]
    coarsenTemporal(realm, defineLazily)
    // what it calls back comes when nobody knows, which may be in the time of another program of the isolate
    const registry = realm['FinalizationRegistry']
    defineLazily(realm, 'FinalizationRegistry', () => {
      post('linger')
      return registry
    })
    return enter
  }
}

/** The doors out of an isolate: one that is not waited for, one that is, and one that waits for a promise. */
type Post = (what: string, ...args: unknown[]) => void
type Ask = (what: string, ...args: unknown[]) => unknown
interface Wait {
  applySyncPromise(receiver: undefined, args: string[]): string
}

function createHost(post: Post, ask: Ask): Host {
  return {
    output: (stream, text) => post('output', stream, text),
    cut: () => post('cut'),
    display: (data) => post('display', data),
    call: (id, capability, method, args) => post('call', id, capability, method, args),
    setTimer: (id, delayMs) => post('setTimer', id, delayMs),
    clearTimer: (id) => post('clearTimer', id),
    holdTimer: (id, isHeld) => post('holdTimer', id, isHeld),
    settle: (ending) => post('settle', ending),
    callSync: (capability, method) => {
      throw new Error(`${capability}.${method} cannot be waited for here`)
    },
    scratch: (method, args) => ask('scratch', method, args) as string,
    parseUrl: (url, base) => ask('parseUrl', url, base) as string | undefined,
    changeUrl: (url, part, value) => ask('changeUrl', url, part, value) as string,
    random: (size) => ask('random', size) as string,
    reach: (specifier, from) => ask('reach', specifier, from) as string,
    part: (name) => ask('part', name) as string,
  }
}

function defineLazily(realm: Record<string, unknown>, name: string, make: () => unknown): void {
  Object.defineProperty(realm, name, {
    configurable: true,
    get: () => {
      define(realm, name, make())
      return realm[name]
    },
    set: (value: unknown) => {
      define(realm, name, value)
    },
  })
}
