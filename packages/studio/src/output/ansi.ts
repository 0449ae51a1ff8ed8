/** How a piece of terminal text looks. A colour is one of the sixteen by number, or a CSS colour. */
export interface AnsiStyle {
  fg?: number | string
  bg?: number | string
  bold?: true
  dim?: true
  italic?: true
  underline?: true
  strike?: true
  inverse?: true
}

export type AnsiPart =
  | { kind: 'text'; text: string; style: AnsiStyle | undefined }
  | { kind: 'newline' }
  /** Back to the start of the line: what follows is written over it. */
  | { kind: 'return' }
  | { kind: 'backspace' }

// a sequence that never ends is dropped instead of swallowing the output
const longestSequence = 4096
/* oxlint-disable no-control-regex -- control characters are what it reads */
const sequence =
  /\x1b(?:\[([0-?]*)[ -/]*([@-~])|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]+[0-~]|[0-OQ-WYZ\\`-~])/y
const unfinished = /^\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]*\x1b?|[PX^_][^\x1b]*\x1b?|[ -/]+)?$/
const special = /[\x00-\x08\n\x0b-\x1f\x7f-\x9f]/g
export const hasControls = /[\x00-\x08\x0b-\x1f\x7f-\x9f]/
/* oxlint-enable no-control-regex */

/**
 * Reads what programs print for terminals. Colours and weights are kept, line ends and returns told, everything else
 * that would move a cursor, set a title or make a link is dropped. Sequences may be cut between two reads.
 */
export class AnsiReader {
  #style: AnsiStyle | undefined
  #pending = ''

  /** Whether text without control characters can be taken as it is. */
  get isPlain(): boolean {
    return this.#style === undefined && this.#pending === ''
  }

  read(chunk: string): AnsiPart[] {
    const text = this.#pending + chunk
    this.#pending = ''
    const parts: AnsiPart[] = []
    let from = 0
    const take = (to: number) => {
      if (to > from) parts.push({ kind: 'text', text: text.slice(from, to), style: this.#style })
    }
    special.lastIndex = 0
    for (let match = special.exec(text); match; match = special.exec(text)) {
      const at = match.index
      take(at)
      from = at + 1
      if (match[0] === '\n') parts.push({ kind: 'newline' })
      else if (match[0] === '\r') parts.push({ kind: 'return' })
      else if (match[0] === '\b') parts.push({ kind: 'backspace' })
      else if (match[0] === '\u001b') {
        sequence.lastIndex = at
        const found = sequence.exec(text)
        if (!found && text.length - at < longestSequence && unfinished.test(text.slice(at))) {
          this.#pending = text.slice(at)
          return parts
        }
        if (found) {
          from = sequence.lastIndex
          if (found[2] === 'm') this.#style = applySgr(this.#style, found[1] ?? '')
        }
      }
      special.lastIndex = from
    }
    take(text.length)
    return parts
  }
}

/** The style after a "select graphic rendition" sequence. */
export function applySgr(before: AnsiStyle | undefined, parameters: string): AnsiStyle | undefined {
  const style: AnsiStyle = { ...before }
  const codes = parameters.split(/[;:]/).map(Number)
  for (let index = 0; index < codes.length; index++) {
    const code = codes[index] ?? 0
    if (code === 0) for (const key of Object.keys(style)) delete style[key as keyof AnsiStyle]
    else if (code === 1) style.bold = true
    else if (code === 2) style.dim = true
    else if (code === 3) style.italic = true
    else if (code === 4 || code === 21) style.underline = true
    else if (code === 7) style.inverse = true
    else if (code === 9) style.strike = true
    else if (code === 22) {
      delete style.bold
      delete style.dim
    } else if (code === 23) delete style.italic
    else if (code === 24) delete style.underline
    else if (code === 27) delete style.inverse
    else if (code === 29) delete style.strike
    else if (code >= 30 && code <= 37) style.fg = code - 30
    else if (code >= 90 && code <= 97) style.fg = code - 82
    else if (code === 39) delete style.fg
    else if (code >= 40 && code <= 47) style.bg = code - 40
    else if (code >= 100 && code <= 107) style.bg = code - 92
    else if (code === 49) delete style.bg
    else if (code === 38 || code === 48) {
      const { colour, used } = readColour(codes.slice(index + 1))
      index += used
      if (colour !== undefined) style[code === 38 ? 'fg' : 'bg'] = colour
    }
  }
  return Object.keys(style).length > 0 ? style : undefined
}

/** A colour of 256 or of all, after its 38 or 48. */
function readColour([mode, first = 0, green = 0, blue = 0]: number[]): {
  colour: number | string | undefined
  used: number
} {
  if (mode === 2) return { colour: rgb(first, green, blue), used: 4 }
  if (mode !== 5) return { colour: undefined, used: 0 }
  if (first < 16) return { colour: first, used: 2 }
  if (first >= 232) return { colour: rgb(...grey(8 + (first - 232) * 10)), used: 2 }
  const cube = first - 16
  const level = (step: number) => (step === 0 ? 0 : 55 + step * 40)
  return { colour: rgb(level(Math.floor(cube / 36)), level(Math.floor(cube / 6) % 6), level(cube % 6)), used: 2 }
}

function grey(value: number): [number, number, number] {
  return [value, value, value]
}

function rgb(...parts: [number, number, number]): string {
  return `rgb(${parts.map((part) => Math.min(255, Math.max(0, Math.trunc(part) || 0))).join(' ')})`
}
