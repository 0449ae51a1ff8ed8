import { Command, type ParseOptionsResult } from 'commander'

/** A command whose last argument is code: from its first word on, nothing is an option of ours, as with `ssh` or `env`. */
export class CodeCommand extends Command {
  override parseOptions(args: string[]): ParseOptionsResult {
    const at = this.#codeAt(args)
    return super.parseOptions(at === undefined ? args : [...args.slice(0, at), '--', ...args.slice(at)])
  }

  /** Where the words after the first one that is no option begin. */
  #codeAt(args: string[]): number | undefined {
    let words = 0
    for (let at = 0; at < args.length; at++) {
      const arg = args[at] ?? ''
      if (arg === '--') return undefined
      if (arg.length > 1 && arg.startsWith('-')) {
        const option = this.options.find(({ short, long }) => arg === short || arg === long)
        // its value is the next word
        if (option?.required) at++
      } else if (++words === this.registeredArguments.length) return at
    }
    return undefined
  }
}
