import {
  executionKinds,
  executionStatuses,
  formatDuration,
  routes,
  startKinds,
  type ExecutionKind,
  type ExecutionSummary,
  type StartKind,
} from '@coherex/contract'
import { Command, InvalidArgumentError, Option } from 'commander'
import { collectPages } from '../collect-pages.ts'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { describeTimeline } from '../executions/describe-timeline.ts'
import { parseLimit } from '../parse-limit.ts'
import { formatTable } from '../terminal.ts'

const statuses = ['open', ...executionStatuses, 'dead'] as const

interface ListOptions extends JsonOption {
  kind?: ExecutionKind
  status?: (typeof statuses)[number]
  startedBy?: StartKind
  agent?: string
  search?: string
  limit: number
}

export function executionsCommand(context: Context): Command {
  const command = new Command('executions')
    .summary('turns of agents and runs of code together: list, show, retry')
    .description('Everything agents and code did for the team: who started it, how it ended, what it cost.')
  command.addCommand(listCommand(context), { isDefault: true })
  command.addCommand(showCommand(context))
  command.addCommand(retryCommand(context))
  return withExamples(command, [
    ['coherex executions --status failed --agent coder', 'what went wrong with an agent and its code'],
    ['coherex executions show turn_…', 'one turn, step by step'],
  ])
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('Lists turns and runs, newest first.')
    .addOption(new Option('--kind <kind>', 'only these').choices(executionKinds))
    .addOption(new Option('--status <status>', 'only these; open is what has not ended').choices(statuses))
    .addOption(new Option('--started-by <what>', 'only what these started').choices(startKinds))
    .option('--agent <name>', 'turns of an agent, and the runs they started')
    .option('--search <text>', 'part of the question, the answer or the code')
    .option('--limit <n>', 'how many', parseLimit, 20)
    .addOption(jsonOption())
    .action(async ({ limit, json, ...filters }: ListOptions) => {
      const { client } = await connectSignedIn(context.settings)
      const items = await collectPages(
        (page) => client(routes.executions.list, { query: { ...page, ...filters } }),
        limit,
      )
      const head = ['ID', 'STATUS', 'WHAT', 'STARTED BY', 'TOOK', 'COST', 'WHEN', 'INPUT']
      print(context, { json: json ?? false }, { items }, () =>
        items.length === 0 ? 'No executions, or none that match' : formatTable(head, items.map(rowOf)),
      )
    })
}

function showCommand(context: Context): Command {
  return withExecution('show', 'Shows a turn step by step, or a run.')
    .addOption(jsonOption())
    .action(async (id: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      if (id.startsWith('run_')) {
        const run = await client(routes.runs.get, { params: { id } })
        const end = run.error ? `\n${run.error.kind}: ${run.error.message}` : ''
        const words = `${run.id}: ${run.status}, ${run.language}, ${formatDuration(run.durationMs)}${end}\ncoherex runs show ${run.id} tells more`
        return print(context, options, run, () => words)
      }
      const timeline = await client(routes.executions.timeline, { params: { id } })
      print(context, options, timeline, () => describeTimeline(timeline))
    })
}

function retryCommand(context: Context): Command {
  return withExecution('retry', 'Runs it again: another answer to the question, or another run of the program.')
    .addOption(jsonOption())
    .action(async (id: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const next = await client(routes.executions.retry, { params: { id }, body: {} })
      print(context, options, next, () => `Started ${next.id}`)
    })
}

function withExecution(name: string, description: string): Command {
  return new Command(name).description(description).argument('<id>', 'id of a turn or a run', parseId)
}

function rowOf(one: ExecutionSummary): string[] {
  const { startedBy, durationMs, use } = one
  const cost = use?.costUsd
  return [
    one.id,
    one.isDead ? 'given up' : one.status,
    one.kind === 'turn' ? (one.agent ?? '') : (one.language ?? ''),
    startedBy.name
      ? `${startedBy.kind} ${startedBy.name}`
      : startedBy.kind === 'person'
        ? one.createdBy.name
        : startedBy.kind,
    durationMs === null ? '' : formatDuration(durationMs),
    typeof cost === 'number' ? `$${cost.toFixed(4)}` : '',
    one.createdAt,
    one.input.trim().split('\n', 1)[0]?.slice(0, 60) ?? '',
  ]
}

function parseId(text: string): string {
  if (routes.executions.retry.params.safeParse({ id: text }).success) return text
  throw new InvalidArgumentError('It is not the id of a turn or a run; coherex executions list shows them.')
}
