import type { DocumentName, Workspaces } from '../../workspaces/index.ts'
import type { FileQuota, FileSpace } from './file-space.ts'
import { createMemoryFileSpace } from './memory-file-space.ts'

export interface WorkspaceFileSpaceOptions {
  workspaces: Workspaces
  name: DocumentName
  /** As it is now unless said. */
  version?: number
  quota?: Partial<FileQuota>
  readOnly?: boolean
}

/** What was done in the space, to be brought back to its workspace. */
export interface SpaceChanges {
  written: { path: string; bytes: Uint8Array }[]
  removed: string[]
}

export interface WorkspaceFileSpace extends FileSpace {
  /** The version its files are of. */
  readonly version: number
  changes(): Promise<SpaceChanges>
}

/**
 * The files of a workspace at one version, for FILES and BASH. A file is read when it is needed; what is written stays here
 * until someone brings it back, so that a command is one version and one that fails is none.
 */
export async function createWorkspaceFileSpace(options: WorkspaceFileSpaceOptions): Promise<WorkspaceFileSpace> {
  const { workspaces, name, quota, readOnly } = options
  const version = options.version ?? (await workspaces.versions.settle(name))
  const { items } = await workspaces.files.list(name, { version })
  const load = async (path: string) => {
    const { body } = await workspaces.files.read(name, path, version)
    if (Buffer.isBuffer(body)) return Uint8Array.from(body)
    const chunks: Uint8Array[] = []
    for await (const chunk of body) chunks.push(chunk as Uint8Array)
    return Uint8Array.from(Buffer.concat(chunks))
  }
  const space = createMemoryFileSpace({
    kind: 'workspace',
    files: Object.fromEntries(items.map(({ path, size }) => [path, { size, load: () => load(path) }])),
    ...(quota && { quota }),
    ...(readOnly !== undefined && { readOnly }),
  })
  return {
    ...space,
    version,
    async changes() {
      const written: SpaceChanges['written'] = []
      const left = new Set<string>()
      for (const { path } of await space.list('/')) {
        const relative = path.slice(1)
        left.add(relative)
        if (!space.isAsGiven(path)) written.push({ path: relative, bytes: await space.read(path) })
      }
      return { written, removed: items.map(({ path }) => path).filter((path) => !left.has(path)) }
    },
  }
}
