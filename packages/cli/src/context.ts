import { Option, type Command } from 'commander'
import type { Settings } from './config.ts'
import { toJson, type Terminal } from './terminal.ts'

/** What every command gets. */
export interface Context {
  settings: Settings
  terminal: Terminal
  /** Runs an operator's command on this machine; gives its exit code. */
  operate(args: string[]): Promise<number>
  /** Hears the first Ctrl-C, or whatever else asks to stop, instead of the program ending. Returns how to stop listening. */
  onInterrupt(listener: () => void): () => void
  /** Ends with this code although nothing was thrown. */
  endWith(exitCode: number): void
}

export interface JsonOption {
  json?: boolean
}

export const jsonOption = () => new Option('--json', 'print JSON, errors included')

/** Prints a value as JSON when that was asked for, else as the given text. */
export function print(context: Context, options: JsonOption, value: unknown, text: () => string): void {
  context.terminal.out(options.json ? toJson(value, 2) : text())
}

/** Examples at the end of a command's help, in the order a person would try them. */
export function withExamples(command: Command, examples: [line: string, what: string][]): Command {
  const width = Math.max(...examples.map(([line]) => line.length))
  const lines = examples.map(([line, what]) => `  ${line.padEnd(width)}  ${what}`)
  return command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`)
}
