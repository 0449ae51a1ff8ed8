const mostBytes = 1024 ** 3

type Buffers = Record<string, unknown>
const names = [
  ...['ArrayBuffer', 'Int8Array', 'Uint8Array', 'Uint8ClampedArray', 'Int16Array', 'Uint16Array', 'Int32Array'],
  ...['Uint32Array', 'Float16Array', 'Float32Array', 'Float64Array', 'BigInt64Array', 'BigUint64Array'],
]

/**
 * Buffers of all blocks together, as far as they are in use: beyond the bound making one fails as where there is no memory. Without it
 * they take what the machine has, since the browser counts them in no heap.
 */
export function boundBuffers(scope: Buffers): void {
  let used = 0
  const freed = new FinalizationRegistry<number>((bytes) => (used -= bytes))
  const take = (bytes: number) => {
    if (used + bytes > mostBytes)
      throw new RangeError('Out of memory: blocks in the browser may hold 1 GB in buffers. The server can have more.')
  }
  const count = (buffer: object, bytes: number) => {
    used += bytes
    freed.register(buffer, bytes)
  }
  for (const name of names) {
    const Plain = scope[name] as (new (...args: unknown[]) => ArrayBufferView | ArrayBuffer) & { prototype: object }
    if (typeof Plain !== 'function') continue
    const width = (Plain as unknown as { BYTES_PER_ELEMENT?: number }).BYTES_PER_ELEMENT ?? 1
    const Bounded = new Proxy(Plain, {
      construct(target, args: unknown[], newTarget) {
        const [first, options] = args as [unknown, { maxByteLength?: number } | undefined]
        const length =
          typeof first === 'number'
            ? Math.max(first, options?.maxByteLength ?? 0)
            : ((first as { length?: unknown } | null)?.length ?? 0)
        // a view of a buffer that is there takes nothing
        const isView = first instanceof ArrayBuffer
        if (!isView) take(Number(length) * width || 0)
        const made = Reflect.construct(target, args, newTarget) as ArrayBufferView | ArrayBuffer
        if (!isView && made.byteLength > 1024) count('buffer' in made ? made.buffer : made, made.byteLength)
        return made
      },
    })
    Plain.prototype.constructor = Bounded
    scope[name] = Bounded
  }
  const { slice } = ArrayBuffer.prototype
  ArrayBuffer.prototype.slice = function (...args) {
    take(this.byteLength)
    const made = Reflect.apply(slice, this, args) as ArrayBuffer
    count(made, made.byteLength)
    return made
  }
}
