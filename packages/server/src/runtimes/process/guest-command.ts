/**
 * A program of another language, as the driver inside starts it. `{entry}` and `{built}` in arguments and patterns are
 * filled in there. Patterns are Python's, over what it wrote to stderr; each may find a line, a column and a message,
 * and for each the first pattern that finds one counts.
 */
export interface GuestCommand {
  /** Its process can be started before its program is there: it takes all it needs from the channel, and says `ready`. */
  startsAhead?: boolean
  /** The program's text is bytes as base64. */
  isBinary?: boolean
  compile?: readonly string[]
  run: readonly string[]
  env: Readonly<Record<string, string>>
  /** How it speaks the guest protocol: not at all, over a socket (both ways), or over two pipes. */
  channel: 'none' | 'socket' | 'pipes'
  errors: {
    compile: readonly string[]
    run: readonly string[]
    /** A message like this is a syntax error. */
    syntax?: string
  }
}
