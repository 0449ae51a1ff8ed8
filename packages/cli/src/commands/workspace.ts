import { routes, workspaceTemplates, type WorkspaceTemplate } from '@coherex/contract'
import { Argument, Command, Option } from 'commander'
import { collectPages } from '../collect-pages.ts'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { showControls } from '../guest-text.ts'
import { parseLimit } from '../parse-limit.ts'
import { formatTable } from '../terminal.ts'
import { findWorkspaceId, workspaceOption, type WorkspaceOption } from '../workspaces/find-workspace.ts'
import { parseVersion } from '../workspaces/parse-version.ts'
import { cloneCommand, importGitCommand, pushGitCommand } from './workspace-git.ts'
import { pullCommand, pushCommand, watchCommand } from './workspace-sync.ts'

export function workspaceCommand(context: Context): Command {
  const command = new Command('workspace')
    .summary('workspaces: list, create, pull, push, watch, log, diff, restore, git')
    .description('Files that people and agents edit together: fetch, send and compare them.')
  command.addCommand(listCommand(context), { isDefault: true })
  const onFolders = [pullCommand, pushCommand, watchCommand]
  const onVersions = [logCommand, diffCommand, restoreCommand]
  const onGit = [cloneCommand, importGitCommand, pushGitCommand]
  for (const make of [createCommand, ...onFolders, ...onVersions, ...onGit]) command.addCommand(make(context))
  return command
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('Lists the workspaces of the team.')
    .option('--archived', 'those that are archived')
    .addOption(jsonOption())
    .action(async (options: JsonOption & { archived?: boolean }) => {
      const { client } = await connectSignedIn(context.settings)
      const archived = options.archived ? 'true' : 'false'
      const items = await collectPages((query) => client(routes.workspaces.list, { query: { ...query, archived } }))
      print(context, options, { items }, () =>
        formatTable(
          ['ID', 'NAME', 'VERSION', 'CHANGED'],
          items.map(({ id, name, version, updatedAt }) => [id, name, String(version), updatedAt]),
        ),
      )
    })
}

function createCommand(context: Context): Command {
  const command = new Command('create')
    .description('Creates a workspace and prints its id.')
    .argument('<name>')
    .addOption(
      new Option('-t, --template <template>', 'what it starts with').choices(workspaceTemplates).default('blank'),
    )
    .addOption(jsonOption())
    .action(async (name: string, options: JsonOption & { template: WorkspaceTemplate }) => {
      const { client } = await connectSignedIn(context.settings)
      const made = await client(routes.workspaces.create, { body: { name, template: options.template } })
      print(context, options, made, () => made.id)
    })
  return withExamples(command, [['coherex workspace create "Invoice tool" -t python-tool', 'from a template']])
}

function logCommand(context: Context): Command {
  return new Command('log')
    .description('Lists versions, newest first: who, when, from where, what changed.')
    .argument('[path]', 'only those that changed this file')
    .addOption(workspaceOption())
    .option('-n, --limit <number>', 'how many', parseLimit, 20)
    .addOption(jsonOption())
    .action(async (path: string | undefined, options: JsonOption & WorkspaceOption & { limit: number }) => {
      const connection = await connectSignedIn(context.settings)
      const id = await findWorkspaceId(connection, options.workspace, context.settings.directory)
      const items = await collectPages(
        (query) => connection.client(routes.workspaces.listVersions, { params: { id }, query: { ...query, path } }),
        options.limit,
      )
      print(context, options, { items }, () =>
        formatTable(
          ['VERSION', 'WHEN', 'BY', 'DOOR', 'WHAT', 'NAMES'],
          items.map(({ number, at, author, coauthors, message, changes, changeCount, tags }) => [
            String(number),
            at,
            [author, ...coauthors].map(({ name }) => name).join(', '),
            author.door,
            message ?? `${changes[0]?.change ?? 'nothing'} ${changes[0]?.path ?? ''}${changeCount > 1 ? ', …' : ''}`,
            tags.join(' '),
          ]),
        ),
      )
    })
}

const versionArgument = (name: string, what: string) => new Argument(name, what).argParser(parseVersion)

function diffCommand(context: Context): Command {
  const command = new Command('diff')
    .description('Shows the difference between two versions as a unified diff.')
    .addArgument(versionArgument('<from>', 'number of a version; 0 is before the first'))
    .addArgument(versionArgument('[to]', 'the last one by default'))
    .addOption(workspaceOption())
    .addOption(jsonOption())
    .action(async (from: number, to: number | undefined, options: JsonOption & WorkspaceOption) => {
      const connection = await connectSignedIn(context.settings)
      const id = await findWorkspaceId(connection, options.workspace, context.settings.directory)
      const diff = await connection.client(routes.workspaces.diff, { params: { id }, query: { from, to } })
      print(context, options, diff, () =>
        diff.items
          .map(({ path, change, binary, diff: text }) =>
            showControls(binary || text === '' ? `${change} ${path}${binary ? ' (not text)' : ''}` : text.trimEnd()),
          )
          .join('\n'),
      )
    })
  return withExamples(command, [
    ['coherex workspace diff 3', 'what changed since version 3'],
    ['coherex workspace diff 3 5 -w "Invoice tool"', 'between two versions'],
  ])
}

function restoreCommand(context: Context): Command {
  return new Command('restore')
    .description('Restores the files of a version, as a new version. Pull to get them here.')
    .addArgument(versionArgument('<version>', 'its number'))
    .argument('[paths...]', 'only these files')
    .option('-m, --message <text>', 'why')
    .addOption(workspaceOption())
    .addOption(jsonOption())
    .action(async (number: number, paths: string[], options: JsonOption & WorkspaceOption & { message?: string }) => {
      const connection = await connectSignedIn(context.settings)
      const id = await findWorkspaceId(connection, options.workspace, context.settings.directory)
      const { message } = options
      const result = await connection.client(routes.workspaces.restore, {
        params: { id, number },
        body: { ...(paths.length > 0 ? { paths } : {}), ...(message ? { message } : {}) },
      })
      print(context, options, result, () => `Restored version ${number}; the workspace is at version ${result.version}`)
    })
}
