import { mkdir, readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CoherexError } from '@coherex/contract'
import { Command } from 'commander'
import { connectSignedIn } from '../connect.ts'
import { withExamples, type Context } from '../context.ts'
import { exitCode } from '../exit-code.ts'
import { printable } from '../terminal.ts'
import { findWorkspaceId, workspaceOption, type WorkspaceOption } from '../workspaces/find-workspace.ts'
import { readState } from '../workspaces/state-file.ts'
import { syncFolder, type SyncLine, type SyncOptions } from '../workspaces/sync-folder.ts'
import { watchFolder } from '../workspaces/watch-folder.ts'

interface SyncCommandOptions extends WorkspaceOption {
  force?: boolean
  message?: string
}

export function pullCommand(context: Context): Command {
  const command = new Command('pull')
    .description('Brings what changed in a workspace into a folder. What changed on both sides is left for push.')
    .argument('[folder]', 'this one unless said', '.')
    .addOption(workspaceOption())
    .option('--force', 'bring back what was deleted here; into a folder with files of its own: those that differ stay')
    .action(async (folder: string, options: SyncCommandOptions) => {
      const prepared = await prepare(context, folder, options, { mustBeNew: !options.force })
      await syncFolder({ ...prepared, way: 'pull', bringsBack: options.force })
    })
  return withExamples(command, [
    ['coherex workspace pull invoices -w "Invoice tool"', 'the first time'],
    ['coherex workspace pull', 'again, within the folder'],
  ])
}

export function pushCommand(context: Context): Command {
  const command = new Command('push')
    .description(
      'Sends what changed in a folder. What others changed is merged; where it is the same lines, yours is kept as a copy.',
    )
    .argument('[folder]', 'this one unless said', '.')
    .addOption(workspaceOption())
    .option('-m, --message <text>', 'what changed')
    .action(async (folder: string, options: SyncCommandOptions) => {
      const prepared = await prepare(context, folder, options, { mustBeNew: false })
      await syncFolder({ ...prepared, way: 'push', message: options.message })
    })
  return withExamples(command, [['coherex workspace push -m "Rounds to cents"', 'within the folder']])
}

export function watchCommand(context: Context): Command {
  return new Command('watch')
    .description('Keeps a folder and a workspace the same, both ways, until Ctrl-C. Nothing is deleted on doubt.')
    .argument('[folder]', 'this one unless said', '.')
    .addOption(workspaceOption())
    .option('--force', 'with a folder that has files already; they are sent too')
    .action(async (folder: string, options: SyncCommandOptions) => {
      const prepared = await prepare(context, folder, options, { mustBeNew: !options.force })
      const stopped = new AbortController()
      const release = context.onInterrupt(() => stopped.abort())
      context.terminal.note(`Watching ${folder}; Ctrl-C ends it`)
      try {
        await watchFolder({
          ...prepared,
          signal: stopped.signal,
          onProblem: (error) => context.terminal.note(`coherex: ${printable(error.message)}`),
        })
      } finally {
        release()
      }
    })
}

async function prepare(
  context: Context,
  named: string,
  options: SyncCommandOptions,
  { mustBeNew }: { mustBeNew: boolean },
): Promise<Omit<SyncOptions, 'way'>> {
  const connection = await connectSignedIn(context.settings)
  const folder = resolve(context.settings.directory, named)
  const known = await readState(folder)
  const workspaceId = await findWorkspaceId(connection, options.workspace, folder)
  if (known && known.workspaceId !== workspaceId) {
    throw new CoherexError('invalid_input', `${named} belongs to workspace ${known.workspaceId}; choose another folder`)
  }
  if (!known) {
    await mkdir(folder, { recursive: true })
    // files of others' choosing among one's own are only for those who say so
    if (mustBeNew && (await readdir(folder)).length > 0) {
      throw new CoherexError('invalid_input', `${named} is not empty; choose a new folder, or add --force`)
    }
  }
  const state = known ?? { url: connection.url, workspaceId, files: {} }
  return { connection, folder, state, onDone: (line) => tell(context, line) }
}

function tell({ terminal, endWith }: Context, { did, path, note }: SyncLine): void {
  terminal.out(`${did.padEnd(13)} ${printable(path)}${note ? `  (${printable(note)})` : ''}`)
  if (did === 'conflict' || did === 'left' || did === 'failed') endWith(exitCode.failure)
}
