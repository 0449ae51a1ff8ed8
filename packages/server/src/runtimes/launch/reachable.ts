import { statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'

const search = 0o001
const read = 0o004

/** Why a user with no rights of its own cannot read the file, or what is in the directory, at `path`; undefined when it can. */
export function unreachable(path: string): string | undefined {
  for (let directory = dirname(resolve(path)); ; directory = dirname(directory)) {
    const stats = statSync(directory, { throwIfNoEntry: false })
    if (!stats) return `"${directory}" does not exist`
    if ((stats.mode & search) === 0) {
      return `"${directory}" is closed to the sandbox's user; run: chmod o+x "${directory}"`
    }
    if (directory === dirname(directory)) break
  }
  const stats = statSync(path, { throwIfNoEntry: false })
  if (!stats) return `"${path}" does not exist`
  // one that cannot be listed hides the names of what is in it, and is meant to
  const needed = stats.isDirectory() ? search : read
  return (stats.mode & needed) === needed
    ? undefined
    : `"${path}" is closed to the sandbox's user; run: chmod -R o+rX "${path}"`
}
