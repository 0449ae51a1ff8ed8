import { routes, type McpPlace, type McpServer, type McpTool } from '@coherex/contract'
import { Command } from 'commander'
import { connectSignedIn } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { formatTable, printable } from '../terminal.ts'

export function mcpServerCommand(context: Context): Command {
  const command = new Command('mcp-server')
    .summary('MCP servers whose tools agents use: list, add, approve, remove')
    .description('MCP servers of the team. Agents use the tools that an admin approved, as mcp:NAME.')
  command.addCommand(listCommand(context), { isDefault: true })
  command.addCommand(addCommand(context))
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

function addCommand(context: Context): Command {
  const command = new Command('add')
    .summary('add a server by its address, or a command that runs in a sandbox')
    .description('Adds an MCP server and asks it for its tools. Needs the role admin.')
    .argument('<name>', 'as agents name it: mcp:NAME')
    .argument('<place...>', 'its address, or after -- a command with its arguments, which runs in a sandbox')
    .option('--key <secret>', 'name of a secret of the team that is sent to it')
    .option('--header <name>', 'header for the key', 'Authorization')
    .option('--oauth', 'it is signed in to, in the studio')
    .option('--packages <names>', 'of a command: npm:NAME or pypi:NAME, separated by commas')
    .option('--allow <urls>', 'of a command: URL prefixes it may reach, separated by commas')
    .addOption(jsonOption())
    .action(async (name: string, place: string[], options: JsonOption & AddOptions) => {
      const { client } = await connectSignedIn(context.settings)
      const added = await client(routes.mcpServers.add, { body: { name, place: toPlace(place, options) } })
      print(context, options, added, () => describe(added))
    })
  return withExamples(command, [
    ['coherex mcp-server add docs https://mcp.example.com/mcp --key DOCS_TOKEN', 'with a key'],
    ['coherex mcp-server add files --packages npm:some-server -- some-server --root .', 'in a sandbox'],
  ])
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

interface AddOptions {
  key?: string
  header: string
  oauth?: true
  packages?: string
  allow?: string
}

function toPlace([first = '', ...args]: string[], { key, header, oauth, packages, allow }: AddOptions): McpPlace {
  if (/^https?:\/\//.test(first)) {
    const kind = key !== undefined ? 'key' : oauth ? 'oauth' : 'none'
    return { kind: 'remote', url: first, auth: kind === 'key' ? { kind, secret: key ?? '', header } : { kind } }
  }
  const network = { allow: listOf(allow) }
  return {
    kind: 'sandboxed',
    command: first,
    args,
    language: 'javascript',
    packages: listOf(packages),
    env: {},
    network,
  }
}

const listOf = (text = ''): string[] =>
  text
    .split(',')
    .map((one) => one.trim())
    .filter(Boolean)

function rowOf({ name, status, tools, place }: McpServer): string[] {
  const where = place.kind === 'remote' ? place.url : [place.command, ...place.args].join(' ')
  return [name, status, String(tools.approved), String(tools.waiting), printable(where)]
}

function describe({ name, status, problem, tools }: McpServer): string {
  if (status === 'sign-in') return `Added ${name}. Sign in to it in the studio: Settings, MCP servers.`
  if (problem !== null) return `Added ${name}, with a problem: ${printable(problem)}`
  return `Added ${name}: ${tools.waiting} tools wait for approval. coherex mcp-server tools ${name} shows them.`
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
