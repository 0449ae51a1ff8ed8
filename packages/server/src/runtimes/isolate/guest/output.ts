import type { Print } from './console.ts'
import type { Host } from './host.ts'

/** So many lines go out one by one; a flood after them goes in batches, each at most this old and large. */
const promptLines = 200
const batchMs = 20
const batchLength = 8192

/** Console lines on their way out, stopped a little past the limit: the host makes the exact cut. */
export function createOutput(host: Pick<Host, 'output' | 'cut'>, now: () => number) {
  let left = Infinity
  let prompt = promptLines
  let held: { stream: string; text: string } | undefined
  let lastFlush = 0

  const flush = () => {
    if (held) host.output(held.stream, held.text)
    held = undefined
    lastFlush = now()
  }
  const flushLater = async () => {
    await Promise.resolve()
    flush()
  }
  const print: Print = (stream, text) => {
    if (left < 0) return
    const cut = text.length > left ? text.slice(0, left + 1) : text
    // an empty line counts too, or a flood of them would never end
    left -= cut.length + 1
    if (left < 0) host.cut()
    if (prompt > 0) {
      prompt--
      return host.output(stream, cut)
    }
    if (held && held.stream !== stream) flush()
    if (held) held.text += `\n${cut}`
    else {
      held = { stream, text: cut }
      // whatever is still held when this task ends goes out then
      void flushLater()
    }
    if (held.text.length > batchLength || left < 0 || now() - lastFlush > batchMs) flush()
    return undefined
  }

  return {
    print,
    limit(bytes: number): void {
      left = bytes
    },
  }
}
