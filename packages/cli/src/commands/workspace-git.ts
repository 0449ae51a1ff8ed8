import { CoherexError, routes, type GitImport, type GitRemote } from '@coherex/contract'
import { Command, Option } from 'commander'
import { connectSignedIn, type Connection } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { printable } from '../terminal.ts'
import { findWorkspaceId, workspaceOption, type WorkspaceOption } from '../workspaces/find-workspace.ts'

interface PlaceOptions extends JsonOption {
  branch?: string
  secret?: string
  username?: string
}

const withPlace = (command: Command, branch: string) =>
  command
    .option('-b, --branch <branch>', branch)
    .option('-s, --secret <name>', 'the team’s secret that holds a token for the repository')
    .option('--username <name>', 'what to say beside the token; most hosts take any')
    .addOption(jsonOption())

const placeOf = ({ secret, username }: PlaceOptions) => ({
  ...(secret ? { secret } : {}),
  ...(username ? { username } : {}),
})

export function cloneCommand(context: Context): Command {
  const command = withPlace(new Command('clone'), 'a branch or a tag; the repository’s default branch when not given')
    .description('Creates a workspace from the last commit of a git repository and prints its id.')
    .argument('<url>', 'https:// or http://')
    .option('-n, --name <name>', 'the name of the repository by default')
    .action(async (url: string, options: PlaceOptions & { name?: string }) => {
      const { client } = await connectSignedIn(context.settings)
      const { branch, name } = options
      const made = await client(routes.workspaces.cloneGit, {
        body: { url, ...placeOf(options), ...(branch ? { branch } : {}), ...(name ? { name } : {}) },
      })
      tellLeftOut(context, made.import)
      print(context, options, made, () => made.workspace.id)
    })
  return withExamples(command, [
    ['coherex workspace clone https://github.com/me/tool.git', 'a public one'],
    ['coherex workspace clone https://github.com/me/tool.git -b next -s GITHUB_TOKEN', 'a branch of a private one'],
  ])
}

export function importGitCommand(context: Context): Command {
  const command = withPlace(new Command('import-git'), 'a branch or a tag; the one used last by default')
    .description('Brings the last commit of a git repository into a workspace; what changed on both sides is merged.')
    .argument('[url]', 'the one used last by default')
    .addOption(workspaceOption())
    .addOption(
      new Option('--conflicts <what>', 'where both sides changed the same lines')
        .choices(['refuse', 'theirs'])
        .default('refuse'),
    )
    .action(
      async (
        given: string | undefined,
        options: PlaceOptions & WorkspaceOption & { conflicts: 'refuse' | 'theirs' },
      ) => {
        const connection = await connectSignedIn(context.settings)
        const id = await findWorkspaceId(connection, options.workspace, context.settings.directory)
        const { url, branch, ...place } = await findPlace(connection, id, given, options)
        const body = { url, ...place, ...(branch ? { branch } : {}), conflicts: options.conflicts }
        const made = await connection.client(routes.workspaces.importGit, { params: { id }, body })
        tellLeftOut(context, made)
        print(context, options, made, () => {
          const from = `${made.branch ?? branch ?? 'the repository'} at ${made.commit.slice(0, 10)}`
          return `The workspace has ${printable(from)}; it is at version ${made.version}`
        })
      },
    )
  return withExamples(command, [['coherex workspace import-git -w "Invoice tool"', 'again, from where it came']])
}

export function pushGitCommand(context: Context): Command {
  const command = withPlace(new Command('push-git'), 'the one used last by default')
    .description('Pushes versions to a branch of a git repository, each as a commit. Never forced.')
    .argument('[url]', 'the one used last by default')
    .addOption(workspaceOption())
    .action(async (given: string | undefined, options: PlaceOptions & WorkspaceOption) => {
      const connection = await connectSignedIn(context.settings)
      const id = await findWorkspaceId(connection, options.workspace, context.settings.directory)
      const { url, branch, ...place } = await findPlace(connection, id, given, options)
      if (!branch) throw new CoherexError('invalid_input', 'Say to which branch: -b and its name')
      const body = { url, branch, ...place }
      const made = await connection.client(routes.workspaces.pushGit, { params: { id }, body })
      print(context, options, made, () =>
        made.commits === 0
          ? `Nothing new: ${printable(branch)} is at ${made.commit.slice(0, 10)}`
          : `Pushed ${made.commits} commits to ${printable(branch)}, which is at ${made.commit.slice(0, 10)}`,
      )
    })
  return withExamples(command, [
    ['coherex workspace push-git https://github.com/me/tool.git -b main -s GITHUB_TOKEN', 'the first time'],
    ['coherex workspace push-git', 'again, within a pulled folder'],
  ])
}

/** What was said, and where nothing was said what was used last. */
async function findPlace(
  { client }: Connection,
  id: string,
  given: string | undefined,
  options: PlaceOptions,
): Promise<{ url: string; branch?: string; secret?: string; username?: string }> {
  const { items } = await client(routes.workspaces.gitRemotes, { params: { id } })
  const last = items.find((one: GitRemote) => given === undefined || one.url === given)
  const url = given ?? last?.url
  if (url === undefined) throw new CoherexError('invalid_input', 'Say the address of the repository')
  const branch = options.branch ?? last?.branch
  const secret = options.secret ?? last?.secret
  const username = options.username ?? last?.username
  return {
    url,
    ...(branch ? { branch } : {}),
    ...placeOf({ ...(secret ? { secret } : {}), ...(username ? { username } : {}) }),
  }
}

function tellLeftOut({ terminal }: Context, { leftOut }: GitImport): void {
  for (const { path, kind } of leftOut) terminal.note(`left out: ${printable(path)} (a ${kind}; pushes keep it)`)
}
