import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import {
  CoherexError,
  createToolFiles,
  languages,
  routes,
  toolLimits,
  toolReach,
  toolStatus,
  toolTemplates,
  type Client,
  type ToolReach,
  type ToolStatus,
  type ToolTemplate,
  type ToolTestResult,
} from '@coherex/contract'
import { Argument, Command, Option } from 'commander'
import { collectPages } from '../collect-pages.ts'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { exitCode } from '../exit-code.ts'
import { showControls } from '../guest-text.ts'
import { openFolder } from '../runs/folder.ts'
import { readGivenFolder } from '../skills/read-given-folder.ts'
import { formatTable } from '../terminal.ts'
import { exportToolCommand, reviewToolCommand, showToolCommand, toolUsageCommand } from '../tools/tool-out.ts'
import { parseVersion } from '../workspaces/parse-version.ts'

export function toolCommand(context: Context): Command {
  const command = new Command('tool')
    .summary('tools: list, show, init, publish, test, call, diff, export, usage, review')
    .description('Tools of the team: code with schemas, published at versions, for agents and over HTTP.')
  command.addCommand(listCommand(context), { isDefault: true })
  const more = [showToolCommand, exportToolCommand, toolUsageCommand, reviewToolCommand]
  for (const make of [initCommand, publishCommand, testCommand, callCommand, diffCommand, ...more])
    command.addCommand(make(context))
  return command
}

type ToolFilters = Partial<Record<'search' | 'tag' | 'language', string>> & { status?: ToolStatus; reach?: ToolReach }
type ListOptions = JsonOption & ToolFilters & { owner?: string }

function listCommand(context: Context): Command {
  return new Command('list')
    .description('Lists the tools of the team.')
    .option('--search <text>', 'in name and description')
    .option('--tag <tag>', 'with this tag')
    .addOption(new Option('--language <language>', 'in this language').choices(languages))
    .addOption(new Option('--status <status>', 'in this state').choices(toolStatus.options))
    .addOption(new Option('--reach <reach>', 'seen by').choices(toolReach.options))
    .option('--owner <person>', 'of this person: me, an e-mail address or an id')
    .addOption(jsonOption())
    .action(async ({ json, owner, ...given }: ListOptions) => {
      const { client } = await connectSignedIn(context.settings)
      const options = { json }
      const filters = { ...given, ...(owner !== undefined && { owner: await findPerson(client, owner) }) }
      const items = await collectPages((query) => client(routes.tools.list, { query: { ...query, ...filters } }))
      print(context, options, { items }, () =>
        formatTable(
          ['NAME', 'STATUS', 'VERSION', 'LANGUAGE', 'REACH', 'CALLS', 'DESCRIPTION'],
          items.map(({ name, status, version, language, reach, calls, description }) => [
            ...[name, status, version === null ? '–' : String(version), language, reach],
            String(calls.reduce((all, one) => all + one, 0)),
            showControls(description.split('\n')[0] ?? ''),
          ]),
        ),
      )
    })
}

async function findPerson(client: Client, named: string): Promise<string> {
  if (named === 'me') return (await client(routes.signIn.me, {})).person.id
  const members = await collectPages((query) => client(routes.teams.listMembers, { query }))
  const found = members.find(({ person: { id, email } }) => id === named || email === named)
  if (!found) throw new CoherexError('not_found', `Nobody in the team is "${named}": coherex members lists who is`)
  return found.person.id
}

function initCommand(context: Context): Command {
  return withExamples(
    new Command('init')
      .description('Writes a tool that greets into a new folder, to begin with.')
      .argument('<folder>', 'it has the name of the tool')
      .addOption(new Option('--language <language>', 'of its code').choices(toolTemplates).default('python'))
      .addOption(jsonOption())
      .action(async (named: string, options: JsonOption & { language: ToolTemplate }) => {
        const folder = await openFolder(context.settings.directory, named, { force: false })
        const files = createToolFiles(options.language, { name: basename(named) })
        for (const [path, text] of Object.entries(files)) await folder.save(path, text)
        print(context, options, { folder: folder.path, files: Object.keys(files) }, () =>
          [
            `Wrote ${Object.keys(files).join(' and ')} to ${folder.path}`,
            `Publish it: coherex tool publish ${named}`,
          ].join('\n'),
        )
      }),
    [['coherex tool init greet --language typescript', 'tool.yaml and main.ts in the folder greet']],
  )
}

function publishCommand(context: Context): Command {
  return withExamples(
    new Command('publish')
      .description(
        'Stores a folder with a tool.yaml as the next version of its tool, and publishes it when its tests pass.',
      )
      .argument('<folder>', 'with tool.yaml and the code')
      .option('--note <text>', 'what changed', '')
      .option('--draft', 'store it and publish nothing')
      .addOption(new Option('--reach <reach>', 'who sees it once it is published').choices(toolReach.options))
      .addOption(jsonOption())
      .action(async (named: string, options: JsonOption & { note: string; draft?: boolean; reach?: ToolReach }) => {
        const { client } = await connectSignedIn(context.settings)
        const files = await readGivenFolder(resolve(context.settings.directory, named), toolLimits)
        const { note, reach } = options
        // one that is to be private is so from its first version on
        const first = reach === 'private' ? { reach } : {}
        const { definition, version } = await client(routes.tools.save, { body: { files, note, ...first } })
        const { name } = definition
        if (options.draft)
          return print(context, options, { name, version }, () => `${name} is stored as version ${version}`)
        const verdict = await client(routes.tools.publishVersion, { params: { name }, body: { version, note } })
        if (reach && verdict.published) await client(routes.tools.change, { params: { name }, body: { reach } })
        print(context, options, { name, ...verdict }, () =>
          [
            ...verdict.checks.map(
              ({ name: check, passed, message }) => `${passed ? '✓' : '✗'} ${check}: ${showControls(message)}`,
            ),
            verdict.published
              ? `${name} is published at version ${version}`
              : `${name}@${version} is stored and not published`,
          ].join('\n'),
        )
        if (!verdict.published) context.endWith(exitCode.failure)
      }),
    [
      ['coherex tool publish tools/invoice --note "takes discounts"', 'from a folder, also in CI'],
      ['coherex tool publish tools/invoice --draft', 'to try it by its version'],
    ],
  )
}

function testCommand(context: Context): Command {
  return withExamples(
    new Command('test')
      .description('Runs the tests of a tool. A folder is stored as a draft first; callers keep the published version.')
      .argument('<name or folder>', 'a tool of the team, or a folder with tool.yaml')
      .addArgument(versionArgument('of the team’s tool; the newest by default'))
      .addOption(jsonOption())
      .action(async (named: string, version: number | undefined, options: JsonOption) => {
        const { client } = await connectSignedIn(context.settings)
        const folder = resolve(context.settings.directory, named)
        const stored = version === undefined && existsSync(join(folder, 'tool.yaml')) ? await keep(client, folder) : {}
        const at = { name: named, version, ...stored }
        const { results } = await client(routes.tools.test, {
          params: { name: at.name },
          body: at.version === undefined ? {} : { version: at.version },
        })
        print(context, options, { ...stored, results }, () =>
          [
            ...(at.version === undefined ? [] : [`${at.name}@${at.version}`]),
            ...results.map(describeResult),
            ...(results.length === 0 ? ['The tool has no tests'] : []),
          ].join('\n'),
        )
        if (results.some(({ passed }) => !passed)) context.endWith(exitCode.failure)
      }),
    [
      ['coherex tool test tools/invoice', 'what is in the folder, published or not'],
      ['coherex tool test invoice 3', 'version 3 of the team’s tool'],
    ],
  )
}

/** Stores a folder as the next version, which nobody gets who does not name it; the same files again are the same version. */
async function keep(client: Client, folder: string): Promise<{ name: string; version: number }> {
  const files = await readGivenFolder(folder, toolLimits)
  const { definition, version } = await client(routes.tools.save, { body: { files, note: 'Tested from a folder' } })
  return { name: definition.name, version }
}

function describeResult({ name, passed, message, durationMs }: ToolTestResult): string {
  return `${passed ? '✓' : '✗'} ${name} (${Math.round(durationMs)} ms)${message ? `: ${showControls(message)}` : ''}`
}

function callCommand(context: Context): Command {
  return withExamples(
    new Command('call')
      .description('Calls a tool and prints its output as JSON.')
      .argument('<name[@version]>', 'the published version unless named')
      .argument('[input]', 'JSON, or @file with it', '{}')
      .option('--fresh', 'use nothing that was kept of earlier calls')
      .addOption(jsonOption())
      .action(async (named: string, given: string, options: JsonOption & { fresh?: true }) => {
        const { client } = await connectSignedIn(context.settings)
        const [name = '', version] = named.split('@')
        const input = await readInput(context, given)
        const { fresh = false } = options
        const body = { input, fresh, ...(version && { version: parseVersion(version) }) }
        const { output, run, deprecated } = await client(routes.tools.call, { params: { name }, body })
        if (deprecated !== undefined) context.terminal.note(showControls(`${name} is deprecated: ${deprecated}`))
        if (run.status !== 'succeeded')
          throw new CoherexError('conflict', run.error?.message ?? `The call ${run.status}`)
        print(context, options, { output, run }, () => showControls(JSON.stringify(output, null, 2)))
      }),
    [[`coherex tool call invoice@3 '{"lines": []}'`, 'the output, as JSON']],
  )
}

async function readInput(context: Context, given: string) {
  const text = given.startsWith('@')
    ? await readFile(resolve(context.settings.directory, given.slice(1)), 'utf8')
    : given
  try {
    return JSON.parse(text) as never
  } catch (cause) {
    throw new CoherexError('invalid_input', `The input is not JSON: ${(cause as Error).message}`, { cause })
  }
}

function diffCommand(context: Context): Command {
  return new Command('diff')
    .description('Shows what differs between two versions of a tool.')
    .argument('<name>', 'name of the tool')
    .addArgument(new Argument('<from>', 'version').argParser(parseVersion))
    .addArgument(new Argument('<to>', 'version').argParser(parseVersion))
    .addOption(jsonOption())
    .action(async (name: string, from: number, to: number, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const { diff } = await client(routes.tools.diff, { params: { name }, query: { from, to } })
      print(context, options, { diff }, () => showControls(diff.trimEnd()))
    })
}

const versionArgument = (what: string) => new Argument('[version]', what).argParser(parseVersion)
