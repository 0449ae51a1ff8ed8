import type { WorkspaceFile } from '@coherex/contract'

export type TreeNode =
  | { kind: 'file'; name: string; path: string; depth: number; file: WorkspaceFile }
  | { kind: 'folder'; name: string; path: string; depth: number; open: boolean }

/** The rows of a tree: folders first, then files, by name. What is in a closed folder is left out. */
export function buildTree(files: readonly WorkspaceFile[], closed: ReadonlySet<string>): TreeNode[] {
  const root = new Map<string, Branch>()
  for (const file of files) {
    let level = root
    const names = file.path.split('/')
    names.forEach((name, index) => {
      const branch = level.get(name) ?? { children: new Map<string, Branch>() }
      level.set(name, branch)
      if (index === names.length - 1) branch.file = file
      level = branch.children
    })
  }
  const rows: TreeNode[] = []
  walk(root, '', 0)
  return rows

  function walk(level: Map<string, Branch>, above: string, depth: number): void {
    const entries = [...level].toSorted(
      ([a, one], [b, other]) => Number(isFile(one)) - Number(isFile(other)) || compareNames(a, b),
    )
    for (const [name, { file, children }] of entries) {
      const path = above === '' ? name : `${above}/${name}`
      if (children.size > 0) {
        const open = !closed.has(path)
        rows.push({ kind: 'folder', name, path, depth, open })
        if (open) walk(children, path, depth + 1)
      }
      if (file) rows.push({ kind: 'file', name, path, depth, file })
    }
  }
}

interface Branch {
  file?: WorkspaceFile
  children: Map<string, Branch>
}

const isFile = ({ children }: Branch) => children.size === 0
const { compare: compareNames } = new Intl.Collator('en', { numeric: true })
