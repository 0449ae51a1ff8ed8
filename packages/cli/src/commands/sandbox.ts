import {
  callWithProgress,
  CoherexError,
  languages,
  readRequirements,
  routes,
  type Language,
  type Sandbox,
} from '@coherex/contract'
import { Command, InvalidArgumentError, Option } from 'commander'
import { collectPages } from '../collect-pages.ts'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { parseLimit } from '../parse-limit.ts'
import { parseTime } from '../parse-time.ts'
import { runCell } from '../runs/follow-live.ts'
import { readText } from '../runs/read-request.ts'
import { CodeCommand } from '../sandboxes/code-command.ts'
import { copyFiles, parsePlace } from '../sandboxes/copy-files.ts'
import { ownShell } from '../sandboxes/own-shell.ts'
import { runShell } from '../sandboxes/run-shell.ts'
import { formatTable, printable } from '../terminal.ts'

export function sandboxCommand(context: Context): Command {
  const command = new Command('sandbox')
    .summary('sandboxes that live on: create, list, set, exec, cp, ls, shell, rm')
    .description('Sandboxes that live on: cells keep their variables, files stay, and a terminal leads inside.')
  // options after the name of a command are that command's: exec hands most of them on
  command.enablePositionalOptions()
  command.addCommand(listCommand(context), { isDefault: true })
  for (const make of [createCommand, setCommand, execCommand, copyCommand, filesCommand, shellCommand, removeCommand]) {
    command.addCommand(make(context))
  }
  return command
}

function createCommand(context: Context): Command {
  const command = new Command('create')
    .description('Creates a sandbox and prints its id.')
    .option('-n, --name <name>', 'a name for people')
    .addOption(new Option('-l, --language <name>', 'of its main session').choices(languages))
    .option('--template <name>', 'packages, files and a command to begin with, such as data or data@3')
    .option('--idle <minutes>', 'sleeps after so long without use', parseMinutes)
    .option('-m, --memory <mb>', 'megabytes of memory', parseNumber)
    .option('--disk <mb>', 'megabytes of files', parseNumber)
    .option('--allow <url>', 'URL prefix its programs may reach; repeatable', collect)
    .option('-w, --with <requirement>', 'package of PyPI or npm, such as "polars>=1"; repeatable', collect)
    .addOption(jsonOption())
    .action(async (options: JsonOption & CreateOptions) => {
      const { open } = await connectSignedIn(context.settings)
      const { name, language, template, idle, memory, disk, allow, with: packages } = options
      const request = {
        body: {
          ...(name && { name }),
          ...(language && { language }),
          ...(template && { template }),
          ...(idle && { idleTimeoutMs: idle }),
          ...(memory || disk ? { limits: { ...(memory && { memoryMb: memory }), ...(disk && { diskMb: disk }) } } : {}),
          ...(allow && { network: { allow } }),
          ...(packages && { packages: packages.flatMap(readRequirements) }),
        },
      }
      const sandbox = await callWithProgress(open, routes.sandboxes.create, request, {
        onProgress: (line) => context.terminal.note(printable(line)),
      })
      print(context, options, sandbox, () => sandbox.id)
    })
  return withExamples(command, [
    ['ID=$(coherex sandbox create --name sales)', 'keep its id'],
    ['coherex sandbox cp sales.csv $ID:', 'a file into it'],
    ['coherex sandbox exec $ID -l python "import pandas as pd; df = pd.read_csv(\'sales.csv\')"', 'a cell'],
  ])
}

interface CreateOptions {
  name?: string
  language?: Language
  template?: string
  idle?: number
  memory?: number
  disk?: number
  allow?: string[]
  with?: string[]
}

function setCommand(context: Context): Command {
  const command = withSandbox(
    new Command('set'),
    'Renames a sandbox, or changes its network, limits or idle time. It is not woken.',
  )
    .option('-n, --name <name>', 'a name for people')
    .option('--idle <minutes>', 'sleeps after so long without use', parseMinutes)
    .option('-m, --memory <mb>', 'megabytes of memory', parseNumber)
    .option('--disk <mb>', 'megabytes of files, from when it next wakes', parseNumber)
    .option('--allow <url>', 'URL prefix its programs may reach, instead of those so far; repeatable', collect)
    .option('--no-network', 'take its network away')
    .addOption(jsonOption())
    .action(async (id: string, options: JsonOption & CreateOptions & { network: boolean }) => {
      const { client } = await connectSignedIn(context.settings)
      const { name, idle, memory, disk, allow, network } = options
      const body = {
        ...(name && { name }),
        ...(idle && { idleTimeoutMs: idle }),
        ...(memory || disk ? { limits: { ...(memory && { memoryMb: memory }), ...(disk && { diskMb: disk }) } } : {}),
        ...(network ? {} : { network: null }),
        ...(allow && { network: { allow } }),
      }
      if (Object.keys(body).length === 0)
        throw new CoherexError('invalid_input', 'Say what to change: see coherex sandbox set --help')
      const changed = await client(routes.sandboxes.change, { params: { id }, body })
      print(context, options, changed, () =>
        changed.atNextWake.length === 0
          ? `Changed ${printable(changed.name)}`
          : `Changed ${printable(changed.name)}; ${changed.atNextWake.join(' and ')} when it next wakes`,
      )
    })
  return withExamples(command, [
    ['coherex sandbox set sbx_… --name sales', 'another name'],
    ['coherex sandbox set sbx_… --allow https://api.github.com/', 'let its code reach an address'],
  ])
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('Lists sandboxes, newest first.')
    .option('--limit <n>', 'how many', parseLimit, 20)
    .addOption(jsonOption())
    .action(async (options: JsonOption & { limit: number }) => {
      const { client } = await connectSignedIn(context.settings)
      const items = await collectPages((page) => client(routes.sandboxes.list, { query: page }), options.limit)
      print(context, options, { items }, () =>
        items.length === 0
          ? 'No sandboxes'
          : formatTable(['ID', 'NAME', 'STATUS', 'MEMORY', 'LAST USED', 'BY'], items.map(rowOf)),
      )
    })
}

function execCommand(context: Context): Command {
  const command = withSandbox(
    new CodeCommand('exec'),
    'Runs a cell in a sandbox and shows what it prints, then its result.',
  )
    .argument('<code...>', 'a line for bash, or a cell of another language; - for standard input')
    .addOption(new Option('-l, --language <name>', 'of the cell').choices(languages).default('bash'))
    .option('-c, --context <name>', 'which session; each language has one of its own')
    .option('--stdin <file>', 'standard input of the code')
    .option('-t, --timeout <time>', 'such as 500ms, 30s or 2m', parseTime)
    .option('--raw', 'let the code control the terminal; for code you trust')
    .addOption(jsonOption())
    .action(async (id: string, code: string[], options: JsonOption & ExecOptions) => {
      const connection = await connectSignedIn(context.settings)
      const { language, context: session, timeout, stdin } = options
      const isInput = code.length === 1 && code[0] === '-'
      const text = isInput ? new TextDecoder().decode(await context.terminal.readInput()) : code.join(' ')
      const request = {
        language,
        code: text,
        sandboxId: id,
        interactive: !isInput && context.terminal.isTerminal('error'),
        ...(stdin !== undefined && { stdin: await readText(context, stdin) }),
        ...(session && { context: session }),
        ...(timeout !== undefined && { limits: { timeoutMs: timeout } }),
      }
      await runCell(context, connection, { request, options })
    })
  return withExamples(command, [
    ['coherex sandbox exec sbx_… ls -la', 'a command'],
    ['coherex sandbox exec sbx_… -l python "x = 41"', 'a cell; the next one sees x'],
  ])
}

interface ExecOptions {
  language: Language
  context?: string
  timeout?: number
  stdin?: string
  raw?: boolean
}

function copyCommand(context: Context): Command {
  const command = new Command('cp')
    .description('Copies a file or a folder into a sandbox, or out of it.')
    .argument('<from>', 'PATH here, or ID:PATH')
    .argument('<to>', 'PATH here, or ID:PATH')
    .option('--force', 'write into a folder that is not empty, or over a file')
    .addOption(jsonOption())
    .action(async (from: string, to: string, options: JsonOption & { force?: boolean }) => {
      const connection = await connectSignedIn(context.settings)
      const copied = await copyFiles(connection, { from, to, directory: context.settings.directory, ...options })
      print(context, options, { copied }, () => copied.map(printable).join('\n'))
    })
  return withExamples(command, [
    ['coherex sandbox cp sales.csv sbx_…:data/sales.csv', 'into it'],
    ['coherex sandbox cp sbx_…:plots out', 'a folder out of it'],
  ])
}

function filesCommand(context: Context): Command {
  return new Command('ls')
    .description('Lists a folder of a sandbox.')
    .argument('<place>', 'ID, or ID:PATH')
    .option('-r, --recursive', 'with what is below it')
    .addOption(jsonOption())
    .action(async (text: string, options: JsonOption & { recursive?: boolean }) => {
      const { client } = await connectSignedIn(context.settings)
      const place = parsePlace(text.includes(':') ? text : `${text}:`)
      if (!place) throw new CoherexError('invalid_input', `"${printable(text)}" names no sandbox`)
      const { items } = await client(routes.sandboxes.listFiles, {
        params: { id: place.id },
        query: { path: place.path, recursive: options.recursive ? 'true' : 'false' },
      })
      print(context, options, { items }, () =>
        items
          .map(({ path, type, size }) =>
            printable(
              `${type === 'directory' ? '' : size}`.padStart(12) + `  ${path}${type === 'directory' ? '/' : ''}`,
            ),
          )
          .join('\n'),
      )
    })
}

function shellCommand(context: Context): Command {
  return new Command('shell')
    .description('Opens a terminal in a sandbox. It ends with its shell: exit, or Ctrl-D.')
    .argument('[id]', 'id of the sandbox, sbx_…; without it, your own one called Shell', parseId)
    .action(async (asked: string | undefined) => {
      const connection = await connectSignedIn(context.settings)
      const id = asked ?? (await ownShell(connection)).id
      if (asked === undefined) context.terminal.note(`coherex: a terminal in your sandbox Shell (${id})`)
      context.endWith(await runShell(connection, context.terminal, id))
    })
}

function removeCommand(context: Context): Command {
  return withSandbox(new Command('rm'), 'Deletes a sandbox with its files.')
    .addOption(jsonOption())
    .action(async (id: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      await client(routes.sandboxes.remove, { params: { id } })
      print(context, options, { removed: id }, () => `Deleted ${id}`)
    })
}

function withSandbox(command: Command, description: string): Command {
  return command.description(description).argument('<id>', 'id of the sandbox, sbx_…', parseId)
}

function rowOf({ id, name, status, reason, memory, lastUsedAt, createdBy }: Sandbox): string[] {
  const state = reason && status !== 'running' ? `${status} (${reason})` : status
  return [id, name, state, memory ? `${memory.currentMb} MB` : '', lastUsedAt, createdBy.name]
}

function parseId(text: string): string {
  if (routes.sandboxes.get.params.safeParse({ id: text }).success) return text
  throw new InvalidArgumentError('It is not the id of a sandbox; coherex sandbox list shows them.')
}

function parseNumber(text: string): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use a whole number, such as 512.')
}

const parseMinutes = (text: string): number => parseNumber(text) * 60_000
const collect = (value: string, before: string[] = []): string[] => [...before, value]
