import { fromWire } from '../../protocol/value.ts'
import { atob, btoa } from './base64.ts'
import { createCalls, createEnv } from './capabilities.ts'
import { coarsenClocks, createPerformance, define, now } from './clock.ts'
import { createConsole } from './console.ts'
import { createCrypto } from './crypto.ts'
import { createDisplay } from './display.ts'
import { describeError } from './errors.ts'
import { createAbort, DOMException, Event, EventTarget } from './events.ts'
import { createFetch, Request, Response } from './fetch.ts'
import { Headers } from './headers.ts'
import type { Ending, Host, Start } from './host.ts'
import { createModules, type ModuleBody } from './modules.ts'
import { createBuiltins } from './node/builtins.ts'
import { createOutput } from './output.ts'
import { encodeResult, ResultError } from './result.ts'
import { structuredClone } from './structured-clone.ts'
import { TextDecoder, TextEncoder } from './text-coding.ts'
import { createTimers } from './timers.ts'
import { URLSearchParams } from './url-search-params.ts'
import { createUrl } from './url.ts'

/** What the child calls in a fresh isolate. */
export interface Guest {
  start(start: string, ...bodies: ModuleBody[]): void
  deliver(kind: 'timer' | 'answer', id: number, text: string): void
}

/** Furnishes a bare realm: what V8 lacks is added, what a guest must not have is taken away. */
export function boot(host: Host): Guest {
  const realm = globalThis as unknown as Record<string, unknown>
  for (const name of ['SharedArrayBuffer', 'Atomics', 'WebAssembly']) delete realm[name]
  coarsenClocks(realm)

  const output = createOutput(host, now)
  const timers = createTimers(host)
  const calls = createCalls(host)
  const URL = createUrl(host)
  const { performance, restart } = createPerformance()
  const crypto = createCrypto(host)
  const abort = createAbort(timers.setTimeout)
  const { fire, ...timerFunctions } = timers
  const globals: Record<string, unknown> = {
    ...timerFunctions,
    ...abort,
    atob,
    btoa,
    console: createConsole(output.print, now),
    crypto,
    performance,
    queueMicrotask: (callback: () => void) => {
      if (typeof callback !== 'function') throw new TypeError('queueMicrotask: the callback is not a function')
      void Promise.resolve().then(() => callback())
    },
    structuredClone,
    DOMException,
    Event,
    EventTarget,
    Headers,
    Request,
    Response,
    TextDecoder,
    TextEncoder,
    URL,
    URLSearchParams,
  }
  for (const [name, value] of Object.entries(globals)) define(realm, name, value)

  const run = async (start: Start, bodies: ModuleBody[]): Promise<Ending> => {
    try {
      const env = createEnv(calls, start.capabilities, start.vars)
      const display = createDisplay(host.display, start.resultBytes)
      if (start.capabilities['FETCH'])
        define(
          realm,
          'fetch',
          createFetch((args) => calls.call('FETCH', 'fetch', args)),
        )
      define(realm, 'env', env)
      const input = start.input === undefined ? undefined : fromWire(start.input)
      define(realm, 'input', input)
      define(realm, 'display', display)
      const builtins = createBuiltins({ calls, host, URL, start, env, input, display })
      const { exports, value } = await createModules({ start, bodies, builtins }).run()
      const program = Object.hasOwn(exports, 'default') ? exports['default'] : undefined
      const result: unknown =
        typeof program === 'function' ? await program(env, input) : program === undefined ? value : await program
      const text = encodeResult(result, start.resultBytes)
      const isScript = typeof program !== 'function'
      return text === undefined ? { ok: true, isScript } : { ok: true, isScript, result: text }
    } catch (error) {
      const described = describeError(error)
      if (error instanceof ResultError) described.kind = 'output'
      return { ok: false, error: described }
    }
  }

  return {
    start(text, ...bodies) {
      const start = JSON.parse(text) as Start
      output.limit(start.outputBytes)
      restart()
      void run(start, bodies).then((ending) => host.settle(JSON.stringify(ending)))
    },
    deliver(kind, id, text) {
      if (kind === 'answer') return calls.answer(id, text)
      try {
        fire(id)
      } catch (error) {
        const ending: Ending = { ok: false, error: describeError(error) }
        host.settle(JSON.stringify(ending))
      }
    },
  }
}
