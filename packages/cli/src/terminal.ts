import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

export type Channel = 'out' | 'error'

/** Where a command speaks and asks. Results go to `out`, everything else to `note`. */
export interface Terminal {
  color: boolean
  out(text: string): void
  note(text: string): void
  /** As it is, without a line end. */
  write(channel: Channel, text: string | Uint8Array): void
  /** Whether a person looks at it, and not a file or a program. */
  isTerminal(channel: Channel): boolean
  /** All of standard input. */
  readInput(): Promise<Uint8Array>
  /** Asks for a line; undefined when there is none. */
  ask(question: string): Promise<string | undefined>
  size(): TerminalSize
  /** Hands over what is typed, byte for byte, until released. */
  takeOver(listener: TerminalListener): () => void
  /** Asks without showing what is typed; from a pipe it reads the first line. */
  askSecret(question: string): Promise<string>
}

export interface TerminalSize {
  columns: number
  rows: number
}

export interface TerminalListener {
  onInput(bytes: Uint8Array): void
  /** What came from a pipe has ended. */
  onEnd(): void
  onResize(size: TerminalSize): void
}

interface Streams {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  error: NodeJS.WriteStream
}

export function createTerminal({ input, output, error }: Streams, color: boolean): Terminal {
  const streamOf = (channel: Channel) => (channel === 'out' ? output : error)
  // some terminals say that they have no columns at all
  const size = () => ({ columns: output.columns || 80, rows: output.rows || 24 })
  return {
    color,
    out: (text) => void output.write(`${text}\n`),
    note: (text) => void error.write(`${text}\n`),
    write: (channel, text) => void streamOf(channel).write(text),
    isTerminal: (channel) => streamOf(channel).isTTY === true,
    async readInput() {
      const chunks: Buffer[] = []
      for await (const chunk of input) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks)
    },
    async ask(question) {
      const lines = createInterface({ input, output: error, terminal: input.isTTY })
      const closed = new Promise<undefined>((resolve) => lines.once('close', () => resolve(undefined)))
      const answer = await Promise.race([lines.question(question), closed])
      lines.close()
      return answer
    },
    size,
    takeOver({ onInput, onEnd, onResize }) {
      const resized = () => onResize(size())
      // raw: Ctrl-C and the like are for the shell inside
      if (input.isTTY) input.setRawMode(true)
      input.on('data', onInput)
      input.once('end', onEnd)
      output.on('resize', resized)
      return () => {
        if (input.isTTY) input.setRawMode(false)
        input.off('data', onInput)
        input.off('end', onEnd)
        output.off('resize', resized)
        input.pause()
      }
    },
    async askSecret(question) {
      if (!input.isTTY) return firstLine(input)
      const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
      const lines = createInterface({ input, output: silent, terminal: true })
      // in raw mode Ctrl-C is a character, and Ctrl-D closes without an answer
      const closed = new Promise<undefined>((resolve) => {
        lines.once('SIGINT', () => lines.close())
        lines.once('close', () => resolve(undefined))
      })
      error.write(question)
      const answer = await Promise.race([lines.question(''), closed])
      lines.close()
      error.write('\n')
      return answer?.trim() ?? ''
    },
  }
}

/** Not by readline, which forgets a last line without an end when its pipe closes. */
async function firstLine(input: NodeJS.ReadStream): Promise<string> {
  let text = ''
  input.setEncoding('utf8')
  for await (const chunk of input) {
    text += String(chunk)
    if (text.includes('\n') || text.length > 10_000) break
  }
  return text.split('\n')[0]?.trim() ?? ''
}

type Style = 'bold' | 'dim' | 'green' | 'yellow' | 'red'
const codes: Record<Style, number> = { bold: 1, dim: 2, green: 32, yellow: 33, red: 31 }

export function paint(terminal: Terminal, style: Style, text: string): string {
  return terminal.color ? `\u001b[${codes[style]}m${text}\u001b[0m` : text
}

/** Columns wide enough for their longest cell; control characters of others' names never reach the terminal. */
export function formatTable(headings: string[], rows: string[][]): string {
  const clean = [headings, ...rows].map((row) => row.map(printable))
  const widths = headings.map((_, column) => Math.max(...clean.map((row) => row[column]?.length ?? 0)))
  return clean
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export function printable(text: string): string {
  // C0, C1 and the marks that turn writing around
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '\ufffd')
}

/** JSON that a terminal can show as it is: what JSON leaves unescaped and a terminal obeys is escaped too. */
export function toJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, undefined, indent).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
