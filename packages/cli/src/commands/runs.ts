import {
  CoherexError,
  formatDuration,
  languages,
  routes,
  runStatuses,
  type Language,
  type Run,
  type RunStatus,
  type RunSummary,
} from '@coherex/contract'
import { Command, InvalidArgumentError, Option } from 'commander'
import { collectPages } from '../collect-pages.ts'
import { connectSignedIn, type Connection } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { showControls } from '../guest-text.ts'
import { parseLimit } from '../parse-limit.ts'
import { describeError } from '../runs/describe-error.ts'
import { downloadFiles } from '../runs/download-files.ts'
import { openFolder } from '../runs/folder.ts'
import { createOutputPrinter } from '../runs/output-printer.ts'
import { watchRun } from '../runs/watch-run.ts'
import { formatTable, printable, toJson, type Terminal } from '../terminal.ts'

export function runsCommand(context: Context): Command {
  const command = new Command('runs')
    .summary('runs of the team: list, show, logs, cancel, download')
    .description('What was run in the team: look at it, stop it, get what it wrote.')
  command.addCommand(listCommand(context), { isDefault: true })
  for (const make of [showCommand, logsCommand, cancelCommand, downloadCommand]) command.addCommand(make(context))
  return command
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('Lists runs, newest first.')
    .addOption(new Option('--status <status>', 'only these').choices(runStatuses))
    .addOption(new Option('--language <name>', 'only these').choices(languages))
    .option('--search <text>', 'part of the code')
    .option('--limit <n>', 'how many', parseLimit, 20)
    .addOption(jsonOption())
    .action(
      async (
        options: JsonOption & { status?: RunStatus; language?: Language; search?: string; limit: number },
      ): Promise<void> => {
        const { client } = await connectSignedIn(context.settings)
        const { status, language, search } = options
        const filters = { ...(status && { status }), ...(language && { language }), ...(search && { search }) }
        const items = await collectPages(
          (page) => client(routes.runs.list, { query: { ...page, ...filters } }),
          options.limit,
        )
        print(context, options, { items }, () =>
          items.length === 0
            ? 'No runs'
            : formatTable(['ID', 'STATUS', 'LANGUAGE', 'RUNTIME', 'TOOK', 'WHEN', 'BY', 'CODE'], items.map(rowOf)),
        )
      },
    )
}

function showCommand(context: Context): Command {
  return withRun('show', 'Shows a run: how it ended, its result, what it wrote and which runtime took it.')
    .addOption(jsonOption())
    .action(async (id: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const run = await client(routes.runs.get, { params: { id } })
      print(context, options, run, () => describeRun(context.terminal, run))
    })
}

function logsCommand(context: Context): Command {
  return withRun('logs', 'Prints what a run printed.')
    .option('-f, --follow', 'go on until the run has ended; Ctrl-C stops looking, not the run')
    .option('--raw', 'let the code control the terminal; for code you trust')
    .action(async (id: string, options: { follow?: boolean; raw?: boolean }) => {
      const connection = await connectSignedIn(context.settings)
      const printer = createOutputPrinter(context.terminal, options)
      if (!options.follow) {
        const { output } = await connection.client(routes.runs.get, { params: { id } })
        for (const line of output) printer.print(line)
        return printer.end()
      }
      for await (const event of watchRun(connection, id, context.terminal)) {
        if (event.type === 'run-output') printer.print(event.output)
      }
      printer.end()
    })
}

function cancelCommand(context: Context): Command {
  return withRun('cancel', 'Stops a run with everything it started.')
    .addOption(jsonOption())
    .action(async (id: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const run = await client(routes.runs.cancel, { params: { id } })
      print(context, options, run, () =>
        run.status === 'cancelled' ? `Cancelled ${id}` : `${id} had ended before: ${run.status}`,
      )
    })
}

function downloadCommand(context: Context): Command {
  const command = withRun('download', 'Gets the files a run wrote; the server keeps them for a day.')
    .argument('[path]', 'only this file')
    .option('--to <dir>', 'a new or empty folder; without it one named after the run. - for standard output')
    .option('--force', 'write into a folder that is not empty')
    .addOption(jsonOption())
    .action(async (id: string, path: string | undefined, options: JsonOption & { to?: string; force?: boolean }) => {
      const connection = await connectSignedIn(context.settings)
      if (options.to === '-') return pour(context, connection, { id, path })
      const run = await connection.client(routes.runs.get, { params: { id } })
      if (run.files.length === 0) throw new CoherexError('not_found', `Run ${id} has no files`)
      const folder = await openFolder(context.settings.directory, options.to ?? id, options)
      const saved = await downloadFiles(connection, run, folder, path)
      print(context, options, { saved }, () => saved.map(printable).join('\n'))
    })
  return withExamples(command, [
    ['coherex runs download run_… --to out', 'all files into a folder'],
    ['coherex runs download run_… table.csv --to - | head', 'one file into a pipe'],
  ])
}

async function pour(
  { terminal }: Context,
  { open }: Connection,
  { id, path }: { id: string; path: string | undefined },
): Promise<void> {
  if (path === undefined)
    throw new CoherexError('invalid_input', 'Say which file: coherex runs download ID PATH --to -')
  if (terminal.isTerminal('out')) {
    throw new CoherexError('invalid_input', 'A file could control the terminal; send it to a pipe or use --to DIR')
  }
  const { body } = await open(routes.runs.file, { params: { id, path } })
  for await (const chunk of body ?? []) terminal.write('out', chunk)
}

function withRun(name: string, description: string): Command {
  return new Command(name).description(description).argument('<id>', 'id of the run, run_…', parseId)
}

function rowOf({
  id,
  status,
  language,
  runtime,
  durationMs,
  createdAt,
  createdBy,
  firstLine,
  error,
}: RunSummary): string[] {
  const state = error && status === 'failed' ? `${status} (${error.kind})` : status
  const time = isOpen(status) ? '' : formatDuration(durationMs)
  return [id, state, language, runtime?.name ?? '', time, createdAt, createdBy.name, firstLine.slice(0, 60)]
}

function describeRun(terminal: Terminal, run: Run): string {
  const { runtime, position } = run
  const lines = [
    `${run.id}: ${run.status}${position ? `, ${position} ahead in the queue` : ''}`,
    `Language  ${run.language}`,
    ...(runtime ? [`Runtime   ${runtime.name}: ${runtime.reason}`] : []),
    ...(runtime?.passedOver.map(({ name, reason }) => `          not ${name}: ${reason}`) ?? []),
    ...(timeOf(run) ?? []),
    ...(run.peakMemoryMb === null ? [] : [`Memory    ${run.peakMemoryMb} MB at most`]),
    `Started   ${run.startedAt ?? 'not yet'} by ${printable(run.createdBy.name)}`,
    ...run.files.map(({ path, size }) => `File      ${printable(path)}, ${size} bytes`),
    ...run.requests.map(({ method, url, status, error }) =>
      printable(`Request   ${method} ${url}: ${error ?? status ?? 'no answer'}`),
    ),
    ...run.signs.map(({ kind, detail }) => printable(`Sign      ${kind}: ${detail}`)),
    ...(run.result === undefined ? [] : [`Result    ${run.resultText ?? toJson(run.result)}`]),
  ]
  const error = run.error ? `\n${describeError(terminal, run)}` : ''
  return showControls(lines.join('\n')) + error
}

// how long it took is known when it has ended
const isOpen = (status: RunStatus) => status === 'queued' || status === 'loading' || status === 'running'

function timeOf({ status, durationMs, queuedMs, startedAt }: Run): [string] | undefined {
  if (!isOpen(status)) return [`Time      ${formatDuration(durationMs)}, ${formatDuration(queuedMs)} queued`]
  return startedAt ? [`Time      ${formatDuration(Date.now() - Date.parse(startedAt))} so far`] : undefined
}

function parseId(text: string): string {
  if (routes.runs.get.params.safeParse({ id: text }).success) return text
  throw new InvalidArgumentError('It is not the id of a run; coherex runs list shows them.')
}
