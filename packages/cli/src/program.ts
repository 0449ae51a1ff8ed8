import { CoherexError } from '@coherex/contract'
import { Command, CommanderError } from 'commander'
import manifest from '../package.json' with { type: 'json' }
import { agentCommand } from './commands/agent.ts'
import { chatCommand } from './commands/chat.ts'
import { doctorCommand } from './commands/doctor.ts'
import { executionsCommand } from './commands/executions.ts'
import { inboxCommand } from './commands/inbox.ts'
import { keysCommand } from './commands/keys.ts'
import { loginCommand, logoutCommand } from './commands/login.ts'
import { mcpServerCommand } from './commands/mcp-server.ts'
import { mcpCommand } from './commands/mcp.ts'
import { backupCommand, blobsCommand, secretsCommand, userCommand } from './commands/operate.ts'
import { packagesCommand } from './commands/packages.ts'
import { runCommand } from './commands/run.ts'
import { runsCommand } from './commands/runs.ts'
import { sandboxCommand } from './commands/sandbox.ts'
import { searchCommand } from './commands/search.ts'
import { skillCommand } from './commands/skill.ts'
import { statusCommand } from './commands/status.ts'
import { auditCommand, membersCommand } from './commands/team.ts'
import { threadCommand } from './commands/thread.ts'
import { toolCommand } from './commands/tool.ts'
import { workspaceCommand } from './commands/workspace.ts'
import type { Context } from './context.ts'
import { exitCode, exitCodeOf } from './exit-code.ts'
import { showControls } from './guest-text.ts'

const footer = `
Examples:
  coherex doctor                 what this machine lacks
  coherex login                  keep the key of the server on this machine
  coherex status                 the server and who you are
  coherex run script.py          run a file in a sandbox of the server
  coherex chat                   talk to the coding agent
  coherex backup create FILE     on the server's machine: a copy of everything

Environment: COHEREX_URL and COHEREX_TOKEN replace the stored login, COHEREX_HOME names the server's folder, NO_COLOR.
Exit codes: 0 ok, 1 failure, 2 wrong use, 3 not signed in, 4 server unreachable, 5 not allowed, 6 not found;
of a run also what the code exited with, 124 out of time, 130 cancelled.`

const onServer = [
  loginCommand,
  logoutCommand,
  statusCommand,
  runCommand,
  runsCommand,
  executionsCommand,
  searchCommand,
  inboxCommand,
  sandboxCommand,
  packagesCommand,
  workspaceCommand,
  agentCommand,
  skillCommand,
  toolCommand,
  mcpCommand,
  mcpServerCommand,
  chatCommand,
  threadCommand,
  keysCommand,
  membersCommand,
  auditCommand,
]

/** Runs one command line and gives its exit code. Nothing is thrown and no stack is shown. */
export async function runProgram(args: string[], parts: Omit<Context, 'endWith'>): Promise<number> {
  let ending: number = exitCode.ok
  const context: Context = { ...parts, endWith: (code) => (ending = code) }
  const json = args.includes('--json')
  try {
    await createProgram(context, json).parseAsync(args, { from: 'user' })
    return ending
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return exitCode.ok // help or version
    // a usage error was already said in words
    if (error instanceof CommanderError && !json) return exitCode.usage
    const told =
      error instanceof CommanderError ? new CoherexError('invalid_input', error.message, { cause: error }) : error
    report(context, told, json)
    return exitCodeOf(told)
  }
}

function createProgram(context: Context, json: boolean): Command {
  const program = new Command('coherex')
    .description(
      'The command line of Coherex: a workshop where people and AI agents write, run, version and share code.',
    )
    .version(manifest.version, '-v, --version')
    .enablePositionalOptions()
    .addHelpText('after', footer)

  program.commandsGroup('On a server:')
  for (const make of onServer) program.addCommand(make(context))
  program.commandsGroup('On this machine:')
  for (const make of [doctorCommand, backupCommand, blobsCommand, userCommand, secretsCommand])
    program.addCommand(make(context))

  settle(program, context, json)
  return program
}

/** Subcommands inherit nothing from their parents when added whole, so each is told where to speak and not to exit. */
function settle(command: Command, context: Context, json: boolean): void {
  command
    .exitOverride()
    .showSuggestionAfterError()
    .configureOutput({
      writeOut: (text) => context.terminal.out(text.trimEnd()),
      writeErr: (text) => (json ? undefined : context.terminal.note(text.trimEnd())),
    })
  for (const child of command.commands) settle(child, context, json)
}

function report({ terminal }: Context, error: unknown, json: boolean): void {
  const code = error instanceof CoherexError ? error.code : 'internal'
  const message = error instanceof Error ? error.message : String(error)
  terminal.note(json ? JSON.stringify({ error: { code, message } }) : `coherex: ${showControls(message)}`)
}
