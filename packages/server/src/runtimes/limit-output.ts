import type { OutputLine } from '@coherex/contract'

// pieces of no length cost no bytes, and memory and time all the same
const maxPieces = 20_000
// so it is with brackets: ten megabytes of empty lists hold up the server for as long as a second whenever the run is read
const maxParts = 500_000

/** Passes output on until its limit in bytes, then says once that it was cut and drops the rest. */
export function createOutputLimit(limitBytes: number, pass: (line: OutputLine) => void, now: () => number) {
  let left = limitBytes
  let pieces = 0
  let parts = 0
  let isCut = false

  const cut = (where = `${limitBytes} bytes`) => {
    isCut = true
    pass({ at: now(), stream: 'stderr', text: `[output cut at ${where}]` })
  }

  return {
    get truncated(): boolean {
      return isCut
    },
    text(stream: Exclude<OutputLine['stream'], 'display'>, text: string): void {
      if (isCut) return
      if (++pieces > maxPieces) return cut(`${maxPieces} pieces`)
      const size = Buffer.byteLength(text)
      if (size <= left) {
        left -= size
        return pass({ at: now(), stream, text })
      }
      // cut between characters: a decoder in streaming mode holds back a half one
      const kept = new TextDecoder('utf-8').decode(Buffer.from(text).subarray(0, left), { stream: true })
      if (kept !== '') pass({ at: now(), stream, text: kept })
      cut()
    },
    display(data: Record<string, unknown>): void {
      if (isCut) return
      if (++pieces > maxPieces) return cut(`${maxPieces} pieces`)
      const size = Buffer.byteLength(JSON.stringify(data))
      if (size > left) return cut()
      parts += partsOf(data)
      if (parts > maxParts) return cut(`${maxParts} parts of what is displayed`)
      left -= size
      pass({ at: now(), stream: 'display', data })
    },
    /** The guest itself stopped sending at the limit. */
    cutByGuest(): void {
      if (!isCut) cut()
    },
  }
}

/** Values of all kinds and names, however deep; a message that is too deep for this is no message. */
function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + partsOf(item), 1)
  return Object.values(value).reduce<number>((sum, item) => sum + 1 + partsOf(item), 1)
}
