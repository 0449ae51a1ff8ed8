import { Command } from 'commander'
import { connectSignedIn } from '../connect.ts'
import { withExamples, type Context } from '../context.ts'
import { createRelay } from '../mcp/relay.ts'

export function mcpCommand(context: Context): Command {
  return withExamples(
    new Command('mcp')
      .summary('MCP over standard input and output, for clients that start a command')
      .description(
        'Speaks the Model Context Protocol over standard input and output, and carries each message to the server with the key of your login.',
      )
      .action(async () => {
        const { terminal } = context
        const connection = await connectSignedIn(context.settings)
        const relay = createRelay({ connection, tell: terminal.out, note: terminal.note })
        const ended = Promise.withResolvers<void>()
        const unlisten = context.onInterrupt(() => ended.resolve())
        const release = terminal.takeOver({
          onInput(bytes) {
            try {
              relay.take(bytes)
            } catch (error) {
              ended.reject(error as Error)
            }
          },
          onEnd: () => ended.resolve(),
          onResize: () => undefined,
        })
        try {
          await ended.promise
        } finally {
          release()
          unlisten()
          await relay.end()
        }
      }),
    [
      ['claude mcp add coherex -- coherex mcp', 'Claude Code starts it by itself'],
      ['COHEREX_URL=… COHEREX_TOKEN=… coherex mcp', 'with a key instead of the login'],
    ],
  )
}
