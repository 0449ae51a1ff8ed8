import { CoherexError, hasScope, languageFacts, type Run, type RunRequest } from '@coherex/contract'
import type { TeamCaller } from '../../access/index.ts'
import type { Log } from '../../base/index.ts'
import type { Limits, ProducedFile, Program } from '../../runtimes/index.ts'
import type { Workspaces } from '../../workspaces/index.ts'

/** A program with the files of a workspace beneath its own. */
export interface WorkspaceProgram {
  /** The request with the version it got. */
  request: RunRequest
  /** What runs. */
  program: Program
  /** What is recorded: the workspace's own files are in its history already. */
  recorded: Program
}

/** Puts the files of the workspace that a request names beneath those it brings; code that is left out is the entry file's. */
export async function takeWorkspace(
  workspaces: Workspaces,
  caller: TeamCaller,
  { request, program, limits }: { request: RunRequest; program: Program; limits: Limits },
): Promise<WorkspaceProgram> {
  const { workspaceId, workspaceVersion, sandboxId, keep } = request
  if (workspaceId === undefined) {
    if (workspaceVersion === undefined) return { request, program, recorded: program }
    throw new CoherexError('invalid_input', 'workspaceVersion: there is no workspaceId')
  }
  if (sandboxId !== undefined)
    throw new CoherexError('invalid_input', 'workspaceId: a cell runs with the files of its sandbox')
  if (keep && !hasScope(caller.scopes, 'write')) {
    throw new CoherexError('forbidden', 'Bringing files back to a workspace by "keep" takes the scope "write"')
  }
  const name = { teamId: caller.teamId, workspaceId }
  const mostBytes = limits.diskMb * 1024 * 1024
  const { version, files } = await workspaces.files.materialise(name, { version: workspaceVersion, mostBytes })
  const entry = files.get(program.entry)
  const isFromFile = program.code === '' && request.code === '' && entry !== undefined
  if (request.code === '' && program.code === '' && !entry) {
    throw new CoherexError('not_found', `Cannot run "${program.entry}": the workspace has no such file`, {
      details: [{ field: 'entry' }],
    })
  }
  const code = isFromFile ? toCode(entry, request) : program.code
  files.delete(program.entry)
  const beneath = Object.fromEntries([...files].map(([path, bytes]) => [path, toText(bytes)]))
  return {
    request: { ...request, workspaceVersion: version },
    program: { ...program, code, files: { ...beneath, ...program.files } },
    recorded: { ...program, code },
  }
}

/** Brings what a run left in files that `keep` names back to its workspace, as one version of the run's. */
export async function bringBack(
  { workspaces, log }: { workspaces: Workspaces; log: Log },
  { teamId, request, run, files }: { teamId: string; request: RunRequest; run: Run; files: ProducedFile[] },
): Promise<string | undefined> {
  const { workspaceId, keep } = request
  if (workspaceId === undefined || !keep || run.status !== 'succeeded' || files.length === 0) return undefined
  const author = { kind: 'run' as const, id: run.id, name: `Run of ${run.createdBy.name}`, door: 'run' as const }
  const message = `Brought back by a run of ${languageFacts[run.language].name}`
  try {
    await workspaces.files.writeAll({ teamId, workspaceId }, files, { author, message })
    return undefined
  } catch (error) {
    const isRefusal = error instanceof CoherexError
    if (!isRefusal) log.error({ error, run: run.id }, 'the files of a run could not be brought back')
    return `[the files were not brought back: ${isRefusal ? error.message : 'the workspace could not be written'}]`
  }
}

function toCode(bytes: Uint8Array, { language }: RunRequest): string {
  return language === 'wasm' ? Buffer.from(bytes).toString('base64') : Buffer.from(bytes).toString('utf8')
}

/** Text where it is text: runtimes hand that on without encoding it. */
function toText(bytes: Uint8Array): string | Uint8Array {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return bytes
  }
}
