import { CoherexError, type Author } from '@coherex/contract'
import type { TeamCaller } from '../../../access/index.ts'
import type { Workspaces } from '../../../workspaces/index.ts'
import type { Sandboxes } from '../sandboxes.ts'

export interface CopyDeps {
  sandboxes: Sandboxes
  workspaces: Workspaces
}

export interface WorkspaceCopy {
  workspaceId: string
  /** A folder of the sandbox; empty is its home directory. */
  path: string
}

// held in memory on their way, as for every run with a workspace
const mostBytes = 64 * 1024 * 1024

// what shells, interpreters and package managers leave in a home directory: nobody's work
const leftBehind = /^\.(?:\w+_history|cache|local|npm|ipython)(?:\/|$)/

/** Puts the files of a workspace, as they are now, into a folder of a sandbox; with `since`, what changed after that version. */
export async function copyFromWorkspace(
  { sandboxes, workspaces }: CopyDeps,
  { teamId }: TeamCaller,
  { id, workspaceId, path, since }: WorkspaceCopy & { id: string; since?: number | undefined },
): Promise<{ files: number; version: number }> {
  await sandboxes.findUsable(teamId, id)
  const name = { teamId, workspaceId }
  const { files, version } = await workspaces.files.materialise(name, { mostBytes })
  const before =
    since === undefined ? undefined : await workspaces.files.materialise(name, { version: since, mostBytes })
  const changed = [...files].filter(([file, content]) => !isSame(before?.files.get(file), content))
  const gone = [...(before?.files.keys() ?? [])].filter((file) => !files.has(file))
  if (changed.length + gone.length === 0) return { files: 0, version }
  const placeOf = (file: string) => (path === '' ? file : `${path}/${file}`)
  await sandboxes.use(teamId, id, async (open) => {
    for (const [file, content] of changed) await open.inside.files.write(placeOf(file), bytesOf(content))
    // a cell may have deleted it already
    for (const file of gone)
      if (await open.inside.files.stat(placeOf(file))) await open.inside.files.remove(placeOf(file))
    await sandboxes.save(open)
  })
  return { files: changed.length, version }
}

function isSame(before: Uint8Array | undefined, now: Uint8Array): boolean {
  return before !== undefined && Buffer.compare(before, now) === 0
}

/** Writes the files of a folder of a sandbox into a workspace as one version. What only the workspace has stays. */
export async function copyToWorkspace(
  { sandboxes, workspaces }: CopyDeps,
  { teamId }: TeamCaller,
  { id, workspaceId, path, author }: WorkspaceCopy & { id: string; author: Author },
): Promise<{ files: number; version: number }> {
  const { name: sandboxName } = await sandboxes.findUsable(teamId, id)
  await workspaces.get(teamId, workspaceId)
  const written = await sandboxes.use(teamId, id, async ({ inside }) => {
    const found: { path: string; bytes: Uint8Array }[] = []
    let left = mostBytes
    for (const file of await inside.files.list(path, { recursive: true })) {
      if (file.type !== 'file' || (path === '' && leftBehind.test(file.path))) continue
      const chunks: Uint8Array[] = []
      for await (const chunk of await inside.files.read(file.path)) {
        chunks.push(chunk as Uint8Array)
        left -= (chunk as Uint8Array).length
        if (left < 0) throw new CoherexError('too_large', 'The folder has more than 64 MB of files: copy parts of it')
      }
      const name = path === '' ? file.path : file.path.slice(path.length + 1)
      found.push({ path: name, bytes: Buffer.concat(chunks) })
    }
    return found
  })
  if (written.length === 0) throw new CoherexError('not_found', `There are no files in "${path}"`)
  const message = `Copied from the sandbox ${sandboxName}`
  const { version } = await workspaces.files.writeAll({ teamId, workspaceId }, written, { author, message })
  return { files: written.length, version }
}

async function* bytesOf(content: Uint8Array): AsyncGenerator<Uint8Array> {
  yield content
}
