import { createHash } from 'node:crypto'

const mostBytes = 65_536

/** Random bytes that are the same for the same seed, in the order they are asked for. */
export function createFixedRandom(seed: string): (size: number) => Buffer {
  let block = 0
  let left = Buffer.alloc(0)
  return (asked) => {
    const size = Math.min(Math.max(Number(asked) || 0, 0), mostBytes)
    const blocks = [left]
    for (let held = left.length; held < size; held += 32) {
      blocks.push(createHash('sha256').update(`${block++}:${seed}`).digest())
    }
    const bytes = Buffer.concat(blocks)
    left = bytes.subarray(size)
    return bytes.subarray(0, size)
  }
}
