import { isPlainPath } from '@coherex/contract'

// what a Mac reads over in a name, so that `.g\u200cit` is `.git` to it
const ignorable = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** Whether a name in a tree is, to some file system, the folder in which git keeps its hooks and settings. */
function isGitFolder(name: string): boolean {
  const plain = name
    .replaceAll(ignorable, '')
    .toLowerCase()
    // Windows ends a name before these
    .replace(/[ .]+$/, '')
    .replace(/:.*$/, '')
  return plain === '.git' || plain === 'git~1'
}

/** Why a path of a repository cannot be one of a workspace, or one of a workspace none of a repository. */
export function refusePath(path: string): string | undefined {
  if (path.length > 1024 || !isPlainPath(path))
    return 'its path must stay below the root and have no control characters'
  if (path.split('/').some(isGitFolder)) return 'git keeps its own settings under that name'
  return undefined
}
