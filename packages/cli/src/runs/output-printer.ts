import type { OutputLine } from '@coherex/contract'
import { createGuestText } from '../guest-text.ts'
import type { Channel, Terminal } from '../terminal.ts'

export interface OutputPrinter {
  print(line: OutputLine): void
  /** Ends the guest's part: what follows is ours and begins on a line of its own. */
  end(): void
}

/** What the server says before the code begins, such as which packages it fetches: no output of the program. */
const isNotice = ({ at, text }: { at: number; text: string }) => at === 0 && /^\[.*\]$/.test(text)

/** Prints what a run says where a program of its own would have: results and logs out, warnings and errors beside. */
export function createOutputPrinter(terminal: Terminal, { raw = false }: { raw?: boolean | undefined }): OutputPrinter {
  const out = createChannel(terminal, 'out', raw)
  const error = createChannel(terminal, 'error', raw)
  const printer: OutputPrinter = {
    print(line) {
      switch (line.stream) {
        case 'stdout':
          return out.write(line.text)
        case 'stderr':
          return error.write(line.text)
        case 'warn':
        case 'error':
          return error.write(`${line.text}\n`)
        case 'info':
          return (isNotice(line) ? error : out).write(`${line.text}\n`)
        case 'log':
        case 'debug':
          return out.write(`${line.text}\n`)
        case 'display':
          if (typeof line.data['text/plain'] === 'string') out.write(`${line.data['text/plain']}\n`)
      }
    },
    end() {
      out.end()
      error.end()
    },
  }
  return printer
}

function createChannel(terminal: Terminal, channel: Channel, raw: boolean) {
  const isSafe = terminal.isTerminal(channel) && !raw
  const guest = createGuestText()
  let isLineOpen = false
  const put = (text: string) => {
    if (text === '') return
    terminal.write(channel, text)
    isLineOpen = !text.endsWith('\n')
  }
  return {
    write: (text: string) => put(isSafe ? guest.write(text) : text),
    end() {
      if (isLineOpen) put('\n')
      if (isSafe) terminal.write(channel, guest.end())
      isLineOpen = false
    },
  }
}
