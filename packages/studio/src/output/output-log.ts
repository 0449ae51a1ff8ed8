import type { OutputLine } from '@coherex/contract'
import { AnsiReader, hasControls, type AnsiPart, type AnsiStyle } from './ansi.ts'

export type TextStream = Exclude<OutputLine['stream'], 'display'>

export interface OutputSpan {
  text: string
  style: AnsiStyle | undefined
}

/** One line on screen. */
export interface OutputRow {
  stream: TextStream
  at: number
  spans: OutputSpan[]
  length: number
  /** The line before was too long and goes on here. */
  continues: boolean
}

export type OutputBlock =
  | { kind: 'text'; id: number; version: number; rows: OutputRow[] }
  | { kind: 'display'; id: number; version: number; at: number; data: Record<string, unknown> }

type TextBlock = Extract<OutputBlock, { kind: 'text' }>

const rowsPerBlock = 40
// one line of a megabyte would be one layout of a megabyte
const longestRow = 2000

/** What a run printed, as lines on screen in blocks, so that only the blocks in sight need to be drawn. */
export class OutputLog {
  readonly blocks: OutputBlock[] = []
  /** Grows with every change. */
  version = 0
  rowCount = 0
  /** Whether something came from elsewhere than stdout or console.log. */
  hasOtherStreams = false
  readonly #readers = new Map<TextStream, AnsiReader>()
  #open: OutputRow | undefined
  #returned = false

  append(line: OutputLine): void {
    this.version += 1
    if (line.stream === 'display') {
      this.#close()
      this.blocks.push({ kind: 'display', id: this.blocks.length, version: 0, at: line.at, data: line.data })
      return
    }
    const { stream, text, at } = line
    if (stream !== 'stdout' && stream !== 'log') this.hasOtherStreams = true
    if (this.#open?.stream !== stream) this.#close()
    const reader = this.#readers.get(stream) ?? new AnsiReader()
    this.#readers.set(stream, reader)
    const parts = reader.isPlain && !hasControls.test(text) ? plainParts(text) : reader.read(text)
    for (const part of parts) this.#take(part, stream, at)
    // an entry of the console is a line, however it ends; a process writes its own line ends
    if (stream !== 'stdout' && stream !== 'stderr') this.#take({ kind: 'newline' }, stream, at)
  }

  /** All text without its looks, for the clipboard. */
  toText(): string {
    const lines: string[] = []
    for (const block of this.blocks) {
      if (block.kind === 'display') lines.push(plainTextOf(block.data))
      else {
        for (const row of block.rows) {
          if (row.continues) lines.push((lines.pop() ?? '') + textOf(row))
          else lines.push(textOf(row))
        }
      }
    }
    return lines.join('\n')
  }

  #take(part: AnsiPart, stream: TextStream, at: number): void {
    if (part.kind === 'return') {
      this.#returned = this.#open !== undefined
      return
    }
    if (part.kind === 'newline') {
      if (!this.#open) this.#openRow(stream, at, false)
      return this.#close()
    }
    if (part.kind === 'backspace') return this.#dropLast()
    if (this.#returned && this.#open) {
      Object.assign(this.#open, { spans: [], length: 0, at })
      this.#returned = false
    }
    for (let from = 0; from < part.text.length;) {
      let row = this.#open ?? this.#openRow(stream, at, false)
      if (row.length >= longestRow) row = this.#openRow(stream, at, true)
      const room = longestRow - row.length
      // a character of two halves stays whole
      const isHalved = (part.text.codePointAt(from + room - 1) ?? 0) > 0xffff
      const piece = part.text.slice(from, from + room + (isHalved ? 1 : 0))
      addSpan(row, piece, part.style)
      from += piece.length
      this.#touch()
    }
  }

  #openRow(stream: TextStream, at: number, continues: boolean): OutputRow {
    const row: OutputRow = { stream, at, spans: [], length: 0, continues }
    const last = this.blocks.at(-1)
    let block: TextBlock
    if (last?.kind === 'text' && last.rows.length < rowsPerBlock) block = last
    else {
      block = { kind: 'text', id: this.blocks.length, version: 0, rows: [] }
      this.blocks.push(block)
    }
    block.rows.push(row)
    block.version += 1
    this.rowCount += 1
    this.#open = row
    return row
  }

  #close(): void {
    this.#open = undefined
    this.#returned = false
  }

  #dropLast(): void {
    const span = this.#open?.spans.at(-1)
    if (!this.#open || !span) return
    span.text = span.text.slice(0, -1)
    this.#open.length -= 1
    if (span.text === '') this.#open.spans.pop()
    this.#touch()
  }

  /** The open row is always in the last block. */
  #touch(): void {
    const last = this.blocks.at(-1)
    if (last) last.version += 1
  }
}

function plainParts(text: string): AnsiPart[] {
  const parts: AnsiPart[] = []
  for (const [index, line] of text.split('\n').entries()) {
    if (index > 0) parts.push({ kind: 'newline' })
    if (line !== '') parts.push({ kind: 'text', text: line, style: undefined })
  }
  return parts
}

function addSpan(row: OutputRow, text: string, style: AnsiStyle | undefined): void {
  const last = row.spans.at(-1)
  if (last && last.style === style) last.text += text
  else row.spans.push({ text, style })
  row.length += text.length
}

function textOf(row: OutputRow): string {
  return row.spans.map(({ text }) => text).join('')
}

function plainTextOf(data: Record<string, unknown>): string {
  const plain = data['text/plain']
  return typeof plain === 'string' ? plain : `[${Object.keys(data).join(', ')}]`
}
