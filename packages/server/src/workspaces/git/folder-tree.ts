import git from 'isomorphic-git'
import type { MemoryFiles } from './memory-files.ts'
import { gitdir } from './repository.ts'

interface Leaf {
  mode: string
  oid: string
}

interface Folder {
  entries: Map<string, Folder | Leaf>
  /** Of the tree object, until something below changes. */
  oid: string | undefined
}

/** The files of a commit as git keeps them, a tree object for each folder. Only folders that changed are written again. */
export class FolderTree {
  readonly #root: Folder = { entries: new Map(), oid: undefined }

  set(path: string, leaf: Leaf): void {
    const names = path.split('/')
    const name = names.pop() ?? ''
    let folder = this.#root
    folder.oid = undefined
    for (const one of names) {
      let next = folder.entries.get(one)
      if (!next || !('entries' in next)) {
        next = { entries: new Map(), oid: undefined }
        folder.entries.set(one, next)
      }
      next.oid = undefined
      folder = next
    }
    folder.entries.set(name, leaf)
  }

  remove(path: string): void {
    const along: [Folder, string][] = []
    let folder: Folder | Leaf | undefined = this.#root
    for (const name of path.split('/')) {
      if (!folder || !('entries' in folder)) return
      along.push([folder, name])
      folder = folder.entries.get(name)
    }
    let isGone = true
    for (const [at, name] of along.toReversed()) {
      at.oid = undefined
      // git keeps no empty folders
      if (isGone) at.entries.delete(name)
      isGone &&= at.entries.size === 0
    }
  }

  /** Whether something is there, or in the place of one of its folders. */
  isTaken(path: string): boolean {
    let folder: Folder | Leaf | undefined = this.#root
    for (const name of path.split('/')) {
      if (!('entries' in folder)) return true
      folder = folder.entries.get(name)
      if (!folder) return false
    }
    return true
  }

  /** Writes the tree objects; answers the root's. */
  write(fs: MemoryFiles): Promise<string> {
    return writeFolder(fs, this.#root)
  }
}

async function writeFolder(fs: MemoryFiles, folder: Folder): Promise<string> {
  if (folder.oid !== undefined) return folder.oid
  const tree: { mode: string; path: string; oid: string; type: 'blob' | 'tree' | 'commit' }[] = []
  for (const [path, entry] of folder.entries) {
    if ('entries' in entry) tree.push({ mode: '040000', path, oid: await writeFolder(fs, entry), type: 'tree' })
    else tree.push({ ...entry, path, type: entry.mode === '160000' ? 'commit' : 'blob' })
  }
  folder.oid = await git.writeTree({ fs, gitdir, tree })
  return folder.oid
}
