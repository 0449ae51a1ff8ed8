import { readFile, writeFile } from 'node:fs/promises'
import { CoherexError, routes, type Agent, type AgentNeed, type DefinitionProblem } from '@coherex/contract'
import { Command } from 'commander'
import { collectPages } from '../collect-pages.ts'
import { connectSignedIn, type Connection } from '../connect.ts'
import { jsonOption, print, withExamples, type Context, type JsonOption } from '../context.ts'
import { exitCode } from '../exit-code.ts'
import { showControls } from '../guest-text.ts'
import { formatTable } from '../terminal.ts'
import { parseVersion } from '../workspaces/parse-version.ts'
import { agentProposalsCommand } from './agent-proposals.ts'
import { agentRunCommand } from './agent-run.ts'
import { agentTriggersCommand } from './agent-triggers.ts'

export function agentCommand(context: Context): Command {
  const command = new Command('agent')
    .summary('agents: list, validate, generate, push, pull, proposals, run, triggers')
    .description('Agents of the team: list them, check definitions, store and fetch them, have them work.')
  command.addCommand(listCommand(context), { isDefault: true })
  command.addCommand(validateCommand(context))
  command.addCommand(generateCommand(context))
  command.addCommand(pushCommand(context))
  command.addCommand(pullCommand(context))
  command.addCommand(agentProposalsCommand(context))
  command.addCommand(agentRunCommand(context))
  command.addCommand(agentTriggersCommand(context))
  return command
}

function listCommand(context: Context): Command {
  return new Command('list')
    .description('Lists the agents of the team and those that come with Coherex.')
    .addOption(jsonOption())
    .action(async (options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const items = await collectPages((query) => client(routes.agents.list, { query }))
      print(context, options, { items }, () =>
        formatTable(
          ['NAME', 'STATUS', 'VERSION', 'PROPOSALS', 'MODEL', 'DESCRIPTION'],
          items.map(({ name, status, version, proposals, isBuiltIn, model, description }) => [
            name,
            status,
            isBuiltIn ? 'built in' : String(version),
            String(proposals),
            model ?? 'default',
            description,
          ]),
        ),
      )
    })
}

function validateCommand(context: Context): Command {
  const command = new Command('validate')
    .description('Checks a definition without storing it. Exits with 1 when it is not valid.')
    .argument('<file>', 'definition as YAML or JSON; - for standard input')
    .addOption(jsonOption())
    .action(async (file: string, options: JsonOption) => {
      const { client } = await connectSignedIn(context.settings)
      const verdict = await client(routes.agents.validate, { body: { source: await readSource(context, file) } })
      print(context, options, verdict, () =>
        verdict.valid
          ? [`${file} is valid`, ...describeNeeds(verdict.needs)].join('\n')
          : describeProblems(file, verdict.problems),
      )
      if (!verdict.valid) context.endWith(exitCode.failure)
    })
  return withExamples(command, [['coherex agent validate analyst.yaml', 'before it is pushed']])
}

function generateCommand(context: Context): Command {
  const command = new Command('generate')
    .description(
      'Has the builder write a definition from a description, and stores no agent. Exits with 1 when it is not valid.',
    )
    .argument('<text>', 'what the agent is for')
    .option('--model <name>', 'another model than the team’s default')
    .option('-o, --output <file>', 'a file instead of standard output')
    .addOption(jsonOption())
    .action(async (text: string, { model, output, ...options }: JsonOption & { model?: string; output?: string }) => {
      const { open } = await connectSignedIn(context.settings)
      // the model takes its time
      const response = await open(routes.agents.generate, { body: { text, ...(model && { model }) } })
      const made = routes.agents.generate.response.parse(await response.json())
      if (output !== undefined) await writeFile(output, made.source)
      const isScreen = context.terminal.isTerminal('out')
      print(context, options, made, () => {
        if (output === undefined) return (isScreen ? showControls(made.source) : made.source).trimEnd()
        const problems = made.valid ? [] : [describeProblems(output, made.problems)]
        return [`Wrote ${output}`, ...problems, ...describeNeeds(made.needs)].join('\n')
      })
      if (!made.valid) context.endWith(exitCode.failure)
    })
  return withExamples(command, [
    ['coherex agent generate "Summarises new issues each morning" -o triage.yaml', 'look at it, then push it'],
  ])
}

interface PushOptions extends JsonOption {
  note: string
  draft?: boolean
  expect?: number
}

function pushCommand(context: Context): Command {
  const command = new Command('push')
    .description('Stores a definition: a new agent, or the next version of one.')
    .argument('<file>', 'definition as YAML or JSON; - for standard input')
    .option('--note <text>', 'what changed', '')
    .option('--draft', 'do not activate a new agent')
    .option('--expect <version>', 'refuse when another version came first', parseVersion)
    .addOption(jsonOption())
    .action(async (file: string, { note, draft, expect, ...options }: PushOptions) => {
      const connection = await connectSignedIn(context.settings)
      const source = await readSource(context, file)
      const { agent, isStored } = await push(connection, file, { source, note, isDraft: draft === true, expect })
      const { name, version, status, needs } = agent
      const said = isStored ? `is stored as version ${version}` : `is unchanged: version ${version}`
      print(context, options, agent, () => [`${name} ${said}, ${status}`, ...describeNeeds(needs)].join('\n'))
    })
  return withExamples(command, [['coherex agent push analyst.yaml --note "asks before it writes"', 'a new version']])
}

function pullCommand(context: Context): Command {
  return new Command('pull')
    .description('Fetches a definition as it was written.')
    .argument('<name>', 'name of the agent')
    .option('-o, --output <file>', 'a file instead of standard output')
    .addOption(jsonOption())
    .action(async (name: string, options: JsonOption & { output?: string }) => {
      const { client } = await connectSignedIn(context.settings)
      const agent = await client(routes.agents.get, { params: { name } })
      if (options.output === undefined) {
        // on a pipe as it was written; on a screen nothing of it moves the cursor
        const isScreen = context.terminal.isTerminal('out')
        return print(context, options, agent, () => (isScreen ? showControls(agent.source) : agent.source).trimEnd())
      }
      await writeFile(options.output, agent.source)
      print(context, options, agent, () => `Wrote version ${agent.version} to ${options.output}`)
    })
}

interface Pushed {
  agent: Agent
  isStored: boolean
}

async function push(
  { client }: Connection,
  file: string,
  { source, note, isDraft, expect }: { source: string; note: string; isDraft: boolean; expect: number | undefined },
): Promise<Pushed> {
  const { valid, problems, definition } = await client(routes.agents.validate, { body: { source } })
  if (!valid || !definition) throw new CoherexError('invalid_input', describeProblems(file, problems))
  const params = { name: definition.name }
  const before = await client(routes.agents.get, { params }).catch((error: unknown) => {
    if (error instanceof CoherexError && error.code === 'not_found') return undefined
    throw error
  })
  if (!before || before.isBuiltIn) {
    const body = { source, note, ...(isDraft && { status: 'draft' as const }) }
    return { agent: await client(routes.agents.create, { body }), isStored: true }
  }
  if (before.source === source) return { agent: before, isStored: false }
  const body = { source, note, expectedVersion: expect ?? before.version }
  return { agent: await client(routes.agents.put, { params, body }), isStored: true }
}

async function readSource({ terminal }: Context, file: string): Promise<string> {
  if (file === '-') return new TextDecoder().decode(await terminal.readInput())
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const whys: Record<string, string> = { ENOENT: 'there is no such file', EISDIR: 'it is a folder' }
    const why = whys[cause.code ?? ''] ?? cause.code ?? 'it cannot be read'
    throw new CoherexError('invalid_input', `Cannot read ${file}: ${why}`, { cause })
  })
}

/** As compilers write them, so that editors jump to the place. */
function describeProblems(file: string, problems: DefinitionProblem[]): string {
  return problems
    .map(({ line = 1, column = 1, path, message, hint }) => {
      const what = [path, message].filter(Boolean).join(' ')
      return `${file}:${line}:${column}: ${what}${hint ? ` (${hint})` : ''}`
    })
    .join('\n')
}

function describeNeeds(needs: AgentNeed[]): string[] {
  return needs.map(({ message }) => `It still needs: ${message}`)
}
