import { CoherexError, routes, type Thread } from '@coherex/contract'
import { Command } from 'commander'
import { sayAndFollow, type TurnEvent } from '../chat/say-and-follow.ts'
import { connectSignedIn, type Connection } from '../connect.ts'
import { withExamples, type Context } from '../context.ts'
import { exitCode } from '../exit-code.ts'
import { createGuestText, showControls } from '../guest-text.ts'
import { paint } from '../terminal.ts'

interface Options {
  message?: string
  thread?: string
  workspace?: string
  model?: string
  private?: boolean
}

const longestInput = 100

export function chatCommand(context: Context): Command {
  const command = new Command('chat')
    .summary('talk to an agent')
    .description(
      'Talks to an agent in the terminal. Its answer appears as it is written; Ctrl-C stops a turn, Ctrl-D or an empty line ends.',
    )
    .argument('[agent]', 'name of the agent', 'coder')
    .option('-m, --message <text>', 'say this, show the answer and end; - for standard input')
    .option('--thread <id>', 'continue a thread')
    .option('--workspace <id>', 'the workspace it works in')
    .option('--private', 'begin a conversation that only you see; with a key the team sees it')
    .option('--model <name>', 'instead of the agent’s own, such as openai/gpt-5')
    .action(async (agent: string, options: Options) => {
      const connection = await connectSignedIn(context.settings)
      const thread = await (options.thread ? find(connection, options.thread) : begin(connection, agent, options))
      if (options.message !== undefined) {
        const isPiped = options.message === '-'
        const text = isPiped ? new TextDecoder().decode(await context.terminal.readInput()) : options.message
        return talk(context, connection, thread.id, text)
      }
      context.terminal.note(paint(context.terminal, 'dim', `Thread ${thread.id} with ${thread.agent}`))
      for (;;) {
        const text = await context.terminal.ask('> ')
        if (text === undefined || text.trim() === '') return
        await talk(context, connection, thread.id, text)
      }
    })
  return withExamples(command, [
    ['coherex chat', 'with the coding agent'],
    ['coherex chat data-analyst --workspace wsp_… -m "What sold best?"', 'one question'],
  ])
}

function find({ client }: Connection, id: string): Promise<Thread> {
  return client(routes.threads.get, { params: { id } })
}

function begin({ client }: Connection, agent: string, options: Options): Promise<Thread> {
  const { workspace, model } = options
  const place = {
    ...(workspace !== undefined && { workspaceId: workspace }),
    ...(model !== undefined && { model }),
    ...(options.private && { reach: 'private' as const }),
  }
  return client(routes.threads.create, { body: { agent, ...place } })
}

async function talk(context: Context, connection: Connection, threadId: string, text: string): Promise<void> {
  const { terminal } = context
  const gone = new AbortController()
  const forget = context.onInterrupt(() => void stop(connection, threadId).catch(() => gone.abort()))
  const words = createGuestText()
  let isMidLine = false
  const note = (line: string) => {
    if (isMidLine) terminal.write('out', '\n')
    isMidLine = false
    terminal.note(paint(terminal, 'dim', line))
  }
  try {
    for await (const event of sayAndFollow(connection, threadId, { text }, gone.signal)) {
      if (event.type === 'text') {
        // a model's words are as little to be trusted by a terminal as a guest's output
        terminal.write('out', words.write(event.text))
        isMidLine = !event.text.endsWith('\n')
      } else note(describe(event, `${connection.url}/threads/${threadId}`))
      if (event.type === 'ending') context.endWith(exitCode.failure)
    }
    terminal.write('out', `${words.end()}${isMidLine ? '\n' : ''}`)
  } finally {
    forget()
  }
}

async function stop({ client }: Connection, threadId: string): Promise<void> {
  const { turnId } = await client(routes.threads.get, { params: { id: threadId } })
  if (!turnId) throw new CoherexError('not_found', 'Nothing is running')
  await client(routes.threads.stop, { params: { id: turnId } })
}

function describe(event: Exclude<TurnEvent, { type: 'text' }>, address: string): string {
  switch (event.type) {
    case 'call':
      return `· ${event.tool} ${shorten(JSON.stringify(event.input))}`
    case 'failed':
      return `✗ ${event.tool}: ${shorten(event.message)}`
    case 'retry':
      return `… ${shorten(event.reason)}; trying again`
    case 'rest':
      return event.status === 'sleeping'
        ? 'It sleeps, and continues by itself'
        : `It waits for a person, who answers at ${address}`
    case 'ending':
      return `It ended early: ${shorten(event.message)}`
  }
}

function shorten(text: string): string {
  const line = showControls(text).replaceAll('\n', ' ')
  return line.length <= longestInput ? line : `${line.slice(0, longestInput - 1)}…`
}
