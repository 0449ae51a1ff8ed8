import { randomUUID } from 'node:crypto'
import { languages, routes, runtimeNames, type RunRequest } from '@coherex/contract'
import { Command, InvalidArgumentError, Option } from 'commander'
import { connectSignedIn, type Connection } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { exitCode, exitCodeOfRun } from '../exit-code.ts'
import { parseTime } from '../parse-time.ts'
import { downloadFiles } from '../runs/download-files.ts'
import { openFolder } from '../runs/folder.ts'
import { followLive, showEnd } from '../runs/follow-live.ts'
import { readRunRequest, type RunOptions } from '../runs/read-request.ts'
import { createDisplaySaver } from '../runs/save-display.ts'
import { printable } from '../terminal.ts'

type Options = JsonOption &
  RunOptions & { save?: string; download?: string; force?: boolean; raw?: boolean; detach?: boolean }

export function runCommand(context: Context): Command {
  const command = new Command('run')
    .summary('run a file in a sandbox and show what it prints')
    .description(
      'Runs a file in a sandbox of the server and shows what it prints as it happens, then its result as JSON.\nExits with the code’s own exit code: 0 when it succeeded, 1 when it failed without a code of its own, 124 when its time was up, 130 when it was cancelled. Ctrl-C cancels it.',
    )
    .argument('<file>', 'program to run; - for standard input')
    .argument('[args...]', 'arguments of the program, after --')
    .addOption(new Option('-l, --language <name>', 'when the name or first line does not tell').choices(languages))
    .option('-i, --input <json>', 'input as JSON, or @FILE')
    .option('-f, --file <path[=name]>', 'a further file the code can open or import; repeatable', collect)
    .option('--stdin <file>', 'standard input of the code; - for that of this command')
    .option('-e, --env <name[=value]>', 'an environment variable; without a value as it is here; repeatable', collect)
    .option('-t, --timeout <time>', 'such as 500ms, 30s or 2m', parseTime)
    .option('-m, --memory <mb>', 'megabytes', parseMegabytes)
    .option('--max-output <bytes>', 'most it may print', parseBytes)
    .addOption(new Option('--runtime <name>', 'instead of the cheapest that fits').choices(runtimeNames))
    .option('--allow <url>', 'URL prefix the code may reach; repeatable', collect)
    .option('-w, --with <requirement>', 'package of PyPI or npm for this run, such as "polars>=1"; repeatable', collect)
    .addOption(new Option('--package <name>', 'the same as --with').argParser(collect).hideHelp())
    .option('--typecheck', 'check types first')
    .option('--keep <glob>', 'keep only files that match; repeatable', collect)
    .option('--download <dir>', 'put the files it wrote into a new or empty folder')
    .option('--save <dir>', 'put tables, plots and other rich output into a new or empty folder')
    .option('--force', 'write into a folder that is not empty')
    .option('--raw', 'let the code control the terminal; for code you trust')
    .addOption(new Option('-d, --detach', 'print the id and do not wait').conflicts(['save', 'download', 'raw']))
    .addOption(jsonOption())
    .action(async (program: string, args: string[], options: Options) => {
      const connection = await connectSignedIn(context.settings)
      const request = await readRunRequest(context, program, { ...options, args })
      if (options.detach) return startDetached(context, connection, { request, options })
      return runAttached(context, connection, { request, options })
    })
  return withExamples(command, [
    ['coherex run report.py --file sales.csv --save plots', 'with a file, plots into a folder'],
    ['coherex run --with polars report.py', 'with a package of PyPI; npm for JavaScript'],
    ['coherex run totals.sql --file sales.parquet', 'SQL over a file'],
    ['coherex run tool.wasm -- --size 3', 'a WebAssembly module with arguments'],
    [`coherex run main.ts --input '{"n":21}' --typecheck`, 'with input for its default export'],
    ['echo "print(6 * 7)" | coherex run - --language python', 'from a pipe'],
    ['coherex run crawl.py --allow https://api.github.com/ --detach', 'on its own; see coherex runs logs'],
  ])
}

interface Asked {
  request: RunRequest
  options: Options
}

async function startDetached(context: Context, { client }: Connection, { request, options }: Asked): Promise<void> {
  const run = await client(
    routes.runs.create,
    { body: request, query: { wait: 'false' } },
    { idempotencyKey: randomUUID() },
  )
  print(context, options, run, () => run.id)
  if (!options.json) context.terminal.note(`Started. coherex runs logs ${run.id} -f shows what it prints.`)
}

async function runAttached(context: Context, connection: Connection, { request, options }: Asked): Promise<void> {
  const { terminal, settings } = context
  // what cannot be written is said before anything runs
  const displays = options.save ? await openFolder(settings.directory, options.save, options) : undefined
  const isSame = options.download !== undefined && options.download === options.save
  const files = options.download && !isSame ? await openFolder(settings.directory, options.download, options) : displays

  const { run, isInterrupted } = await followLive(
    context,
    connection,
    { request, options },
    createDisplaySaver(displays),
  )
  if (options.json) print(context, options, run, String)
  else showEnd(context, run, request)

  if (options.download && files) {
    const saved = await downloadFiles(connection, run, files)
    terminal.note(`coherex: ${saved.length} ${saved.length === 1 ? 'file' : 'files'} in ${options.download}`)
  } else if (run.files.length > 0 && !options.json) {
    const names = run.files.slice(0, 5).map(({ path }) => printable(path))
    const more = run.files.length > names.length ? ` and ${run.files.length - names.length} more` : ''
    terminal.note(`coherex: it wrote ${names.join(', ')}${more}; coherex runs download ${run.id} gets them`)
  }
  context.endWith(isInterrupted ? exitCode.cancelled : exitCodeOfRun(run))
}

const collect = (value: string, before: string[] = []): string[] => [...before, value]

function parseBytes(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use bytes, such as 10000000.')
}

function parseMegabytes(text: string): number {
  const amount = /^(\d{1,6})(?:mb?)?$/i.exec(text)?.[1]
  if (amount === undefined) throw new InvalidArgumentError('Use megabytes, such as 256.')
  return Number(amount)
}
