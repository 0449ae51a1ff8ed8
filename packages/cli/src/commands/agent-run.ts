import { readFile } from 'node:fs/promises'
import { CoherexError, routes, type ExecutionRequest } from '@coherex/contract'
import { Command } from 'commander'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { exitCode } from '../exit-code.ts'
import { showControls } from '../guest-text.ts'

interface Options extends JsonOption {
  input: string
  workspace?: string
  model?: string
  wait: boolean
}

/** An agent as a program uses it: one input, one output, and an exit code. */
export function agentRunCommand(context: Context): Command {
  const command = new Command('run')
    .description('Runs an agent and prints its answer. Exits with 1 when it did not answer.')
    .argument('<name>', 'name of the agent')
    .requiredOption('-i, --input <text>', 'what to do; JSON is read as JSON, @file is a file, - is standard input')
    .option('--workspace <id>', 'the workspace it works in')
    .option('--model <name>', 'instead of the agent’s own, such as openai/gpt-5')
    .option('--no-wait', 'start it and print the id of its turn')
    .addOption(jsonOption())
    .action(async (name: string, options: Options) => {
      const { client } = await connectSignedIn(context.settings)
      const body: ExecutionRequest = {
        input: toInput(await readText(context, options.input)),
        ...(options.workspace !== undefined && { workspaceId: options.workspace }),
        ...(options.model !== undefined && { model: options.model }),
      }
      const begun = await client(routes.triggers.execute, { params: { name }, query: { wait: 'false' }, body })
      const { id, threadId, answerId } = begun
      if (!options.wait) return print(context, options, begun, () => id)
      const forget = context.onInterrupt(() => {
        // the stream ends with the turn, or tells what is wrong with the line
        void client(routes.threads.stop, { params: { id } }).catch(() => undefined)
      })
      try {
        // the stream ends when the turn does, or when it rests until someone answers
        await client(routes.threads.stream, { params: { id: threadId } })
        const turn = await client(routes.threads.getTurn, { params: { id } })
        const { parts } = await client(routes.threads.message, { params: { id: threadId, messageId: answerId } })
        const words = parts.flatMap((part) => (part.type === 'text' ? String(part['text'] ?? '') : []))
        const output = words.length > 0 ? words.join('\n') : null
        print(context, options, { ...turn, output }, () => showControls(output ?? ''))
        if (turn.status === 'done') return
        context.terminal.note(turn.ending?.message ?? `The turn is ${turn.status}: coherex chat --thread ${threadId}`)
        context.endWith(exitCode.failure)
      } finally {
        forget()
      }
    })
  return withExamples(command, [
    ['coherex agent run data-analyst --input "What sold best?"', 'one answer'],
    ['coherex agent run triage --input @issue.json --json', 'for scripts'],
  ])
}

function toInput(text: string): ExecutionRequest['input'] {
  if (!/^\s*[[{]/.test(text)) return text
  try {
    return JSON.parse(text) as ExecutionRequest['input']
  } catch {
    return text
  }
}

async function readText({ terminal }: Context, input: string): Promise<string> {
  if (input === '-') return new TextDecoder().decode(await terminal.readInput())
  if (!input.startsWith('@')) return input
  const file = input.slice(1)
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const why = cause.code === 'ENOENT' ? 'there is no such file' : (cause.code ?? 'it cannot be read')
    throw new CoherexError('invalid_input', `Cannot read ${file}: ${why}`, { cause })
  })
}
