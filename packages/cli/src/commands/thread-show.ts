import { routes, type Message, type QueuedMessage, type Thread } from '@coherex/contract'
import { Command } from 'commander'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { showControls } from '../guest-text.ts'

export function showCommand(context: Context, parseId: (text: string) => string): Command {
  const command = new Command('show')
    .description('Shows a conversation: its messages, and those that are queued while the agent works.')
    .argument('<id>', 'id of the conversation, thr_…', parseId)
    .addOption(jsonOption())
    .action(async (id: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const thread = await client(routes.threads.get, { params: { id } })
      print(context, options, thread, () => showControls(describeThread(thread)))
    })
  return withExamples(command, [['coherex thread show thr_…', 'what was said, and what waits']])
}

function describeThread({ id, title, agent, reach, activity, messages, queued }: Thread): string {
  const head = `${title || 'New conversation'}\n${id}, ${agent}, ${reach}, ${activity}`
  return [head, ...messages.map(describeMessage), ...queued.map(describeQueued)].join('\n\n')
}

function describeMessage({ createdBy, createdAt, parts }: Message): string {
  const text = parts.flatMap((part) => (part.type === 'text' ? String(part['text']) : [])).join('\n\n')
  return `${createdBy.name}, ${createdAt}\n${text.trim() || '(no text)'}`
}

function describeQueued({ createdBy, createdAt, text, files, problem }: QueuedMessage): string {
  const state = problem === null ? 'queued' : `not sent: ${problem}`
  return [`${createdBy.name}, ${createdAt}, ${state}`, text, ...files.map((name) => `(file: ${name})`)].join('\n')
}
