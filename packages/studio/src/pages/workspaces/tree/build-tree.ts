import type { WorkspaceFile } from '@coherex/contract'

interface Row {
  name: string
  path: string
  depth: number
  /** Which of how many in its folder, counted from 1. */
  position: number
  siblings: number
}

export type TreeNode = (Row & { kind: 'file'; file: WorkspaceFile }) | (Row & { kind: 'folder'; open: boolean })

/** The rows of a tree: folders first, then files, by name. What is in a closed folder is left out; `folders` may be empty. */
export function buildTree(
  files: readonly WorkspaceFile[],
  closed: ReadonlySet<string>,
  folders: readonly string[] = [],
): TreeNode[] {
  const root = new Map<string, Branch>()
  for (const file of files) branchOf(file.path).file = file
  for (const folder of folders) branchOf(folder).isFolder = true
  const rows: TreeNode[] = []
  walk(root, '', 0)
  return rows

  function branchOf(path: string): Branch {
    let level = root
    let branch: Branch | undefined
    for (const name of path.split('/')) {
      branch = level.get(name) ?? { children: new Map<string, Branch>() }
      level.set(name, branch)
      level = branch.children
    }
    return branch as Branch
  }

  function walk(level: Map<string, Branch>, above: string, depth: number): void {
    const entries = [...level].toSorted(
      ([a, one], [b, other]) => Number(isFile(one)) - Number(isFile(other)) || compareNames(a, b),
    )
    for (const [index, [name, branch]] of entries.entries()) {
      const path = above === '' ? name : `${above}/${name}`
      const row = { name, path, depth, position: index + 1, siblings: entries.length }
      if (!isFile(branch)) {
        const open = !closed.has(path)
        rows.push({ ...row, kind: 'folder', open })
        if (open) walk(branch.children, path, depth + 1)
      }
      if (branch.file) rows.push({ ...row, kind: 'file', file: branch.file })
    }
  }
}

interface Branch {
  file?: WorkspaceFile
  /** Somebody made it, and nothing is in it yet. */
  isFolder?: boolean
  children: Map<string, Branch>
}

const isFile = ({ children, isFolder }: Branch) => children.size === 0 && !isFolder
const { compare: compareNames } = new Intl.Collator('en', { numeric: true })
