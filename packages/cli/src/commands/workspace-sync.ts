import { mkdir, readdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { CoherexError } from '@coherex/contract'
import { Command } from 'commander'
import { connectSignedIn } from '../connect.ts'
import { withExamples, type Context } from '../context.ts'
import { exitCode } from '../exit-code.ts'
import { printable } from '../terminal.ts'
import { findWorkspaceId, workspaceOption, type WorkspaceOption } from '../workspaces/find-workspace.ts'
import { lockFolder } from '../workspaces/folder-lock.ts'
import { clearIncoming } from '../workspaces/local-files.ts'
import { createState, createStateWriter, readState, stateFolder } from '../workspaces/state-file.ts'
import { syncFolder, type SyncLine, type SyncOptions } from '../workspaces/sync-folder.ts'
import { watchFolder } from '../workspaces/watch-folder.ts'

interface SyncCommandOptions extends WorkspaceOption {
  force?: boolean
  message?: string
}

export function pullCommand(context: Context): Command {
  const command = new Command('pull')
    .description('Brings what changed in a workspace into a folder. What changed on both sides is left for push.')
    .argument('[folder]', 'this one by default', '.')
    .addOption(workspaceOption())
    .option('--force', 'bring back what was deleted here; into a folder with files of its own: those that differ stay')
    .action(async (folder: string, options: SyncCommandOptions) => {
      await withFolder(context, folder, { ...options, mustBeNew: !options.force }, (prepared) =>
        syncFolder({ ...prepared, way: 'pull', bringsBack: options.force }),
      )
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
    .argument('[folder]', 'this one by default', '.')
    .addOption(workspaceOption())
    .option('-m, --message <text>', 'what changed')
    .action(async (folder: string, options: SyncCommandOptions) => {
      await withFolder(context, folder, { ...options, mustBeNew: false }, (prepared) =>
        syncFolder({ ...prepared, way: 'push', message: options.message }),
      )
    })
  return withExamples(command, [['coherex workspace push -m "Rounds to cents"', 'within the folder']])
}

export function watchCommand(context: Context): Command {
  return new Command('watch')
    .description('Keeps a folder and a workspace the same, both ways, until Ctrl-C. When in doubt, nothing is deleted.')
    .argument('[folder]', 'this one by default', '.')
    .addOption(workspaceOption())
    .option('--force', 'with a folder that has files already; they are sent too')
    .action(async (folder: string, options: SyncCommandOptions) => {
      const stopped = new AbortController()
      const release = context.onInterrupt(() => stopped.abort())
      try {
        await withFolder(context, folder, { ...options, mustBeNew: !options.force }, async (prepared) => {
          context.terminal.note(`Watching ${folder}; Ctrl-C ends it`)
          await watchFolder({
            ...prepared,
            onDone: tellNews(context),
            signal: stopped.signal,
            onProblem: (error) => context.terminal.note(`coherex: ${printable(error.message)}`),
          })
        })
      } finally {
        release()
      }
    })
}

/** Finds out which workspace a folder belongs to, and works on both while nobody else does. */
async function withFolder(
  context: Context,
  named: string,
  { mustBeNew, ...options }: SyncCommandOptions & { mustBeNew: boolean },
  work: (prepared: Omit<SyncOptions, 'way'>) => Promise<void>,
): Promise<void> {
  const connection = await connectSignedIn(context.settings)
  const folder = resolve(context.settings.directory, named)
  const workspaceId = await findWorkspaceId(connection, options.workspace, folder)
  const isKnown = (await readState(folder)) !== undefined
  if (!isKnown) {
    await mkdir(folder, { recursive: true })
    // files of others' choosing among one's own are only for those who say so
    if (mustBeNew && (await readdir(folder)).some((name) => name !== stateFolder)) {
      throw new CoherexError('invalid_input', `${named} is not empty; choose a new folder, or add --force`)
    }
  }
  const unlock = await lockFolder(folder)
  try {
    await clearIncoming(folder)
    const state = (await readState(folder)) ?? createState(connection.url, workspaceId)
    if (state.workspaceId !== workspaceId) {
      throw new CoherexError(
        'invalid_input',
        `${named} belongs to workspace ${state.workspaceId}; choose another folder`,
      )
    }
    const saveState = createStateWriter(folder, state)
    await work({ connection, folder, state, saveState, onDone: (line) => tell(context, line) })
  } finally {
    await unlock()
  }
}

function tell({ terminal, endWith }: Context, { did, path, note }: SyncLine): void {
  terminal.out(`${did.padEnd(13)} ${printable(path)}${note ? `  (${printable(note)})` : ''}`)
  if (did === 'conflict' || did === 'left' || did === 'failed') endWith(exitCode.failure)
}

/** Tells what is new: what cannot be synced would be said again with every change of other files. */
function tellNews(context: Context): (line: SyncLine) => void {
  const told = new Map<string, string>()
  return (line) => {
    const said = line.did === 'left' || line.did === 'failed' ? `${line.did} ${line.note}` : ''
    if (said && told.get(line.path) === said) return
    told.set(line.path, said)
    tell(context, line)
  }
}
