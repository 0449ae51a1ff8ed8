import { mostOutput, type DisplayLine, type ShownLine, type TextLine, type WorkerMessage } from './runtime-messages.ts'

type Stream = TextLine['stream']
export type Print = (stream: Stream, text: string) => void

/** Where a run writes to. */
export interface Output {
  print: Print
  /** A value in one or more forms, by MIME type. */
  display(data: Record<string, unknown>): void
}

const betweenMs = 40

/** Gathers lines, so that code that prints much sends few messages, and no more than is kept. */
export function createPrinter(
  post: (message: WorkerMessage) => void,
  since: () => number,
  now: () => number,
): Output & { flush(): void } {
  let lines: ShownLine[] = []
  let sentAt = now()
  let left: { lines: number; characters: number } = { ...mostOutput }
  let truncated = false
  const flush = () => {
    if (lines.length > 0 || truncated) post({ type: 'output', lines, truncated })
    lines = []
    sentAt = now()
  }
  const add = (line: ShownLine, characters: number, isCut: boolean) => {
    left = { lines: left.lines - 1, characters: left.characters - characters }
    truncated = isCut || left.lines <= 0
    lines.push(line)
    if (truncated || lines.length >= 200 || now() - sentAt > betweenMs) flush()
  }
  return {
    flush,
    print(stream, given) {
      if (truncated) return
      const text = given.length > left.characters ? given.slice(0, left.characters) : given
      add({ at: Math.round(since()), stream, text }, text.length, text.length < given.length)
    },
    display(given) {
      if (truncated) return
      const data = fit(given, left.characters - 200) as DisplayLine['data']
      add({ at: Math.round(since()), stream: 'display', data }, JSON.stringify(data).length, false)
    },
  }
}

/** The forms of a value that there is room for: the largest go first. */
export function fit(data: Record<string, unknown>, room: number): Record<string, unknown> {
  const sized = Object.entries(data)
    .map(([mime, value]) => ({ mime, value, size: JSON.stringify(value)?.length ?? Infinity }))
    .toSorted((a, b) => a.size - b.size)
  let used = 0
  const kept = sized.filter(({ mime, size }) => {
    used += size + mime.length + 4
    return used <= room
  })
  if (kept.length > 0) return Object.fromEntries(kept.map(({ mime, value }) => [mime, value]))
  return { 'text/plain': 'What is shown here is too large for the output of a block.' }
}
