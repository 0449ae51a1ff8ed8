/**
 * The editor ends each line with a line feed and shows no byte order mark; a file may have carriage returns, of some lines
 * or all, and a mark. These are the places where the file has a character more than the editor shows.
 */
export class LineEnds {
  /** How new lines end: as the first one does. */
  readonly newline: string
  readonly shown: string
  /** Where in the shown text the file has one more, in order. */
  readonly #extra: number[] = []

  constructor(raw: string) {
    const first = /\r\n|\r|\n/.exec(raw)?.[0]
    this.newline = first === '\r\n' ? '\r\n' : '\n'
    if (isPlain(raw)) {
      this.shown = raw
      return
    }
    let shown = ''
    let from = 0
    if (raw.startsWith(mark)) {
      this.#extra.push(0)
      from = 1
    }
    for (const { index, 0: end } of raw.matchAll(/\r\n|\r/g)) {
      shown += raw.slice(from, index) + '\n'
      // after the shown line feed: a place before it is before both
      if (end === '\r\n') this.#extra.push(shown.length)
      from = index + end.length
    }
    this.shown = shown + raw.slice(from)
  }

  /** Where a place of the shown text is in the file. */
  toRaw(at: number): number {
    let [low, high] = [0, this.#extra.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#extra[middle] ?? 0) <= at) low = middle + 1
      else high = middle
    }
    return at + low
  }

  /** Where a place of the file is in the shown text. */
  toShown(at: number): number {
    let [low, high] = [0, this.#extra.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#extra[middle] ?? 0) + middle < at) low = middle + 1
      else high = middle
    }
    return Math.max(0, at - low)
  }
}

const mark = '\u{feff}'

/** Whether a text is shown as it is. */
export function isPlain(raw: string): boolean {
  return !raw.includes('\r') && !raw.startsWith(mark)
}
