/** Math.random from a seed (sfc32): what a program draws, it draws again when it is run again. */
export function fixRandom(seed: readonly number[]): void {
  let [a = 0, b = 0, c = 0, counter = 1] = seed
  const next = () => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (((c << 21) | (c >>> 11)) + sum) | 0
    return sum >>> 0
  }
  for (let at = 0; at < 12; at++) next()
  // 53 bits, as fine as V8's own
  const random = () => ((next() >>> 6) * 2 ** 27 + (next() >>> 5)) / 2 ** 53
  // the program's own, not the copy that this library holds
  Object.defineProperty(globalThis.Math, 'random', { value: random, writable: true, configurable: true })
}
