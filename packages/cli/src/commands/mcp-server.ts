import { routes, type McpAuth, type McpPlace, type McpServer, type McpTool } from '@coherex/contract'
import { Command } from 'commander'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { formatTable, printable } from '../terminal.ts'

export function mcpServerCommand(context: Context): Command {
  const command = new Command('mcp-server')
    .summary('MCP servers whose tools agents use: list, add, change, approve, remove')
    .description('MCP servers of the team. Agents use the tools that an admin approved, as mcp:NAME.')
  command.addCommand(listCommand(context), { isDefault: true })
  command.addCommand(showCommand(context))
  command.addCommand(addCommand(context))
  command.addCommand(setCommand(context))
  command.addCommand(refreshCommand(context))
  command.addCommand(toolsCommand(context))
  command.addCommand(approveCommand(context))
  command.addCommand(removeCommand(context))
  return withExamples(command, [
    ['coherex mcp-server add docs https://mcp.example.com/mcp', 'ask a server for its tools'],
    ['coherex mcp-server tools docs', 'what it has, and what changed'],
    ['coherex mcp-server approve docs', 'let agents use them'],
  ])
}

function listCommand(context: Context): Command {
  return new Command('ls')
    .alias('list')
    .description('Lists the MCP servers of the team.')
    .addOption(jsonOption())
    .action(async (options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const { items } = await client(routes.mcpServers.list, {})
      print(context, options, { items }, () =>
        items.length === 0
          ? 'No MCP servers'
          : formatTable(['NAME', 'STATUS', 'APPROVED', 'WAITING', 'WHERE'], items.map(rowOf)),
      )
    })
}

function showCommand(context: Context): Command {
  return new Command('show')
    .description('Shows a server: where it is, how it is reached, and its problem where it has one.')
    .argument('<name>', 'name of the server')
    .addOption(jsonOption())
    .action(async (name: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const server = await client(routes.mcpServers.get, { params: { name } })
      print(context, options, server, () => describeServer(server))
    })
}

function addCommand(context: Context): Command {
  const command = new Command('add')
    .summary('add a server by its address, or a command that runs in a sandbox')
    .description('Adds an MCP server and asks it for its tools. Needs the role admin.')
    .argument('<name>', 'as agents name it: mcp:NAME')
  withPlace(command).action(async (name: string, place: string[], options: JsonOption & PlaceOptions) => {
    const { client } = await connectSignedIn(context.settings)
    const added = await client(routes.mcpServers.add, { body: { name, place: toPlace(place, options) } })
    print(context, options, added, () => describe('Added', added))
  })
  return withExamples(command, [
    ['coherex mcp-server add docs https://mcp.example.com/mcp --key DOCS_TOKEN', 'with a key'],
    ['coherex mcp-server add files --packages npm:some-server -- some-server --root .', 'in a sandbox'],
    ['coherex mcp-server add git --env API_KEY=GIT_TOKEN --packages pypi:git-mcp -- git-mcp', 'with a secret'],
  ])
}

function setCommand(context: Context): Command {
  const command = new Command('set')
    .summary('change where a server is and how it is reached')
    .description(
      'Puts another place in place of the one a server has. Its tools are approved anew and its sign-in is forgotten.',
    )
    .argument('<name>', 'name of the server')
  withPlace(command).action(async (name: string, place: string[], options: JsonOption & PlaceOptions) => {
    const { client } = await connectSignedIn(context.settings)
    const body = { place: toPlace(place, options) }
    const changed = await client(routes.mcpServers.change, { params: { name }, body })
    print(context, options, changed, () => describe('Changed', changed))
  })
  return withExamples(command, [
    ['coherex mcp-server set docs https://mcp.example.com/v2/mcp --key DOCS_TOKEN', 'another address'],
  ])
}

function refreshCommand(context: Context): Command {
  return new Command('refresh')
    .description('Asks a server for its tools now.')
    .argument('<name>', 'name of the server')
    .addOption(jsonOption())
    .action(async (name: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const server = await client(routes.mcpServers.refresh, { params: { name } })
      print(context, options, server, () => describe('Asked', server))
    })
}

function withPlace(command: Command): Command {
  const collect = (one: string, all: string[] = []) => [...all, one]
  return command
    .argument('<place...>', 'its address, or after -- a command with its arguments, which runs in a sandbox')
    .option('--key <secret>', 'name of a secret of the team that is sent to it')
    .option('--header <name>', 'header for the key', 'Authorization')
    .option('--oauth', 'it is signed in to, in the studio')
    .option('--scope <scopes>', 'of OAuth: what to ask for')
    .option('--client-id <id>', 'of OAuth: a client that was registered there by hand')
    .option('--client-secret <secret>', 'of OAuth: name of the secret of the team that has its secret')
    .option('--packages <names>', 'of a command: npm:NAME or pypi:NAME, separated by commas')
    .option('--template <name>', 'of a command: the template of sandboxes that it starts from')
    .option('--env <name=secret>', 'of a command: a variable and the secret of the team it holds; repeatable', collect)
    .option('--allow <urls>', 'of a command: URL prefixes it may reach, separated by commas')
    .addOption(jsonOption())
}

function toolsCommand(context: Context): Command {
  return new Command('tools')
    .description('Shows the tools of a server, with what changed since they were approved.')
    .argument('<name>', 'name of the server')
    .addOption(jsonOption())
    .action(async (name: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const tools = await client(routes.mcpServers.tools, { params: { name } })
      print(context, options, tools, () =>
        tools.items.length === 0 ? 'No tools' : tools.items.map(describeTool).join('\n'),
      )
    })
}

function approveCommand(context: Context): Command {
  return new Command('approve')
    .description('Approves the tools of a server as they are now. Look at them first: coherex mcp-server tools NAME.')
    .argument('<name>', 'name of the server')
    .option('--only <tools>', 'these, separated by commas, and no others')
    .option('--hash <hash>', 'of the tools that were looked at, as tools --json has it')
    .addOption(jsonOption())
    .action(async (name: string, options: JsonOption & { only?: string; hash?: string }) => {
      const { client } = await connectSignedIn(context.settings)
      const hash = options.hash ?? (await client(routes.mcpServers.tools, { params: { name } })).hash
      const body = { hash, ...(options.only !== undefined && { tools: listOf(options.only) }) }
      const approved = await client(routes.mcpServers.approve, { params: { name }, body })
      const count = approved.items.filter(({ status }) => status === 'approved').length
      print(context, options, approved, () => `Agents may use ${count} of ${approved.items.length} tools of ${name}`)
    })
}

function removeCommand(context: Context): Command {
  return new Command('rm')
    .description('Removes a server with its approvals and its sign-in.')
    .argument('<name>', 'name of the server')
    .addOption(jsonOption())
    .action(async (name: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      await client(routes.mcpServers.remove, { params: { name } })
      print(context, options, { removed: name }, () => `Removed ${name}`)
    })
}

interface PlaceOptions {
  key?: string
  header: string
  oauth?: true
  scope?: string
  clientId?: string
  clientSecret?: string
  packages?: string
  template?: string
  env?: string[]
  allow?: string
}

function toPlace([first = '', ...args]: string[], options: PlaceOptions): McpPlace {
  if (/^https?:\/\//.test(first)) return { kind: 'remote', url: first, auth: toAuth(options) }
  const { packages, template, env = [], allow } = options
  return {
    ...{ kind: 'sandboxed', command: first, args, language: 'javascript', packages: listOf(packages) },
    ...(template !== undefined && { template }),
    env: Object.fromEntries(env.map(toVariable)),
    network: { allow: listOf(allow) },
  }
}

function toAuth({ key, header, oauth, scope, clientId, clientSecret }: PlaceOptions): McpAuth {
  if (key !== undefined) return { kind: 'key', secret: key, header }
  if (!oauth && scope === undefined && clientId === undefined) return { kind: 'none' }
  return {
    kind: 'oauth',
    ...(scope !== undefined && { scope }),
    ...(clientId !== undefined && { clientId }),
    ...(clientSecret !== undefined && { clientSecret }),
  }
}

/** `NAME=SECRET`, or `NAME` for a secret of the same name. */
function toVariable(text: string): [string, string] {
  const at = text.indexOf('=')
  return at < 0 ? [text, text] : [text.slice(0, at), text.slice(at + 1)]
}

const listOf = (text = ''): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

function rowOf({ name, status, tools, place }: McpServer): string[] {
  return [name, status, String(tools.approved), String(tools.waiting), printable(whereOf(place))]
}

function whereOf(place: McpPlace): string {
  return place.kind === 'remote' ? place.url : [place.command, ...place.args].join(' ')
}

function describe(done: string, { name, status, problem, tools }: McpServer): string {
  if (status === 'sign-in') return `${done} ${name}. Sign in to it in the studio: Settings, MCP servers.`
  if (problem !== null) return `${done} ${name}, with a problem: ${printable(problem)}`
  return `${done} ${name}: ${tools.waiting} tools wait for approval. coherex mcp-server tools ${name} shows them.`
}

function describeServer({ name, status, problem, title, protocol, tools, place }: McpServer): string {
  const rows: [string, string][] = [
    ['name', name],
    ['status', status],
    ['where', whereOf(place)],
    ...(place.kind === 'remote' ? remoteRows(place.auth) : sandboxRows(place)),
    ['calls itself', title ?? ''],
    ['revision', protocol ?? ''],
    ['tools', `${tools.approved} approved, ${tools.waiting} waiting`],
    ['problem', problem ?? ''],
  ]
  return rows.flatMap(([label, value]) => (value === '' ? [] : `${label.padEnd(13)} ${printable(value)}`)).join('\n')
}

function remoteRows(auth: McpAuth): [string, string][] {
  if (auth.kind === 'key') return [['key', `${auth.secret} in ${auth.header}`]]
  if (auth.kind === 'none') return []
  return [
    ['sign-in', 'OAuth'],
    ['scope', auth.scope ?? ''],
    ['client', auth.clientId ?? ''],
  ]
}

function sandboxRows({ template = '', packages, env, network }: Extract<McpPlace, { kind: 'sandboxed' }>) {
  const variables = Object.entries(env).map(([variable, secret]) => `${variable}=${secret}`)
  return [
    ['template', template],
    ['packages', packages.join(' ')],
    ['secrets', variables.join(' ')],
    ['network', network.allow.join(' ')],
  ] satisfies [string, string][]
}

function describeTool({ name, status, description, problem, diff }: McpTool): string {
  const lines = [`${printable(name)}  ${status}`, `  ${printable(description.split('\n')[0] ?? '')}`]
  if (problem !== null) lines.push(`  ${printable(problem)}`)
  if (diff !== '')
    lines.push(
      ...diff
        .trimEnd()
        .split('\n')
        .map((line) => `  ${printable(line)}`),
    )
  return lines.join('\n')
}
