import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'

/** Where a command speaks and asks. Results go to `out`, everything else to `note`. */
export interface Terminal {
  color: boolean
  out(text: string): void
  note(text: string): void
  /** Asks without showing what is typed; from a pipe it reads the first line. */
  askSecret(question: string): Promise<string>
}

interface Streams {
  input: NodeJS.ReadStream
  output: NodeJS.WriteStream
  error: NodeJS.WriteStream
}

export function createTerminal({ input, output, error }: Streams, color: boolean): Terminal {
  return {
    color,
    out: (text) => void output.write(`${text}\n`),
    note: (text) => void error.write(`${text}\n`),
    async askSecret(question) {
      const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
      if (input.isTTY) error.write(question)
      const lines = createInterface({ input, output: silent, terminal: input.isTTY })
      try {
        // a pipe that closes without a line never answers a question
        const answer = await Promise.race([
          lines.question(''),
          new Promise<string>((resolve) => lines.once('close', () => resolve(''))),
        ])
        return answer.trim()
      } finally {
        lines.close()
        if (input.isTTY) error.write('\n')
      }
    },
  }
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
