import { format as formatArguments } from '../format.ts'
import { inspect as inspectValue, inspectCustom } from '../inspect.ts'
import { TextDecoder, TextEncoder } from '../text-coding.ts'
import { isDeepStrictEqual } from './deep-equal.ts'

export { isDeepStrictEqual, TextDecoder, TextEncoder }

export const inspect = Object.assign(
  (value: unknown, options?: Parameters<typeof inspectValue>[1]) => inspectValue(value, options),
  {
    custom: inspectCustom,
  },
)

export function format(...args: unknown[]): string {
  return formatArguments(args)
}

type Callback = (error: unknown, value?: unknown) => void
type Take = (...args: unknown[]) => unknown

const custom = Symbol.for('nodejs.util.promisify.custom')

export const promisify = Object.assign(
  (original: Take): Take => {
    const own = (original as unknown as Record<symbol, Take | undefined>)[custom]
    if (own) return own
    return function (this: unknown, ...args) {
      return new Promise((resolve, reject) => {
        const done: Callback = (error, value) => (error ? reject(error) : resolve(value))
        original.call(this, ...args, done)
      })
    }
  },
  { custom },
)

export function callbackify(original: (...args: unknown[]) => Promise<unknown>): Take {
  return (...args) => {
    const done = args.pop() as Callback
    original(...args).then(
      (value) => queueMicrotask(() => done(null, value)),
      (error: unknown) => queueMicrotask(() => done(error ?? new Error('rejected without a reason'))),
    )
  }
}

export function inherits(child: { prototype: object }, parent: { prototype: object }): void {
  Object.defineProperty(child, 'super_', { value: parent, writable: true, configurable: true })
  Object.setPrototypeOf(child.prototype, parent.prototype)
}

export function deprecate<Result extends Take>(original: Result, message: string): Result {
  let warned = false
  return ((...args: unknown[]) => {
    if (!warned) console.warn(`DeprecationWarning: ${message}`)
    warned = true
    return original(...args)
  }) as Result
}

export function stripVTControlCharacters(text: string): string {
  return text.replace(/\u001b\[[\d;?]*[ -/]*[@-~]|\u001b\][^\u0007]*\u0007|\u001b[@-Z\\-_]/g, '')
}

export function toUSVString(text: string): string {
  return String(text).toWellFormed()
}

const tagOf = (value: unknown) => Object.prototype.toString.call(value).slice(8, -1)

export const types = {
  isDate: (value: unknown) => value instanceof Date,
  isRegExp: (value: unknown) => value instanceof RegExp,
  isMap: (value: unknown) => value instanceof Map,
  isSet: (value: unknown) => value instanceof Set,
  isWeakMap: (value: unknown) => value instanceof WeakMap,
  isWeakSet: (value: unknown) => value instanceof WeakSet,
  isPromise: (value: unknown) => value instanceof Promise,
  isNativeError: (value: unknown) => value instanceof Error,
  isAsyncFunction: (value: unknown) => typeof value === 'function' && tagOf(value) === 'AsyncFunction',
  isGeneratorFunction: (value: unknown) => typeof value === 'function' && tagOf(value).endsWith('GeneratorFunction'),
  isArrayBuffer: (value: unknown) => value instanceof ArrayBuffer,
  isAnyArrayBuffer: (value: unknown) => value instanceof ArrayBuffer,
  isArrayBufferView: (value: unknown) => ArrayBuffer.isView(value),
  isTypedArray: (value: unknown) => ArrayBuffer.isView(value) && !(value instanceof DataView),
  isUint8Array: (value: unknown) => value instanceof Uint8Array,
  isDataView: (value: unknown) => value instanceof DataView,
  isBoxedPrimitive: (value: unknown) => value instanceof Number || value instanceof String || value instanceof Boolean,
}
