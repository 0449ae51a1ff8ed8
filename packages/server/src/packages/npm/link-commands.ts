import { chmod, lstat, mkdir, symlink } from 'node:fs/promises'
import { join, relative } from 'node:path'
import type { ResolvedPackage } from '../package-source.ts'

const commandName = /^[\w][\w.-]{0,100}$/

/** Commands of the packages at the top, as npm puts them: links of ours in `.bin`, to files that are there. */
export async function linkCommands(
  placed: readonly { one: ResolvedPackage; place: string }[],
  nodeModules: string,
): Promise<void> {
  const directory = join(nodeModules, '.bin')
  for (const { one, place } of placed) {
    for (const [command, path] of commandsOf(one, place)) {
      const target = join(nodeModules, place, path)
      // its links were refused when it was unpacked
      const isInside = target.startsWith(`${join(nodeModules, place)}/`)
      if (!isInside || !(await lstat(target).catch(() => undefined))?.isFile()) continue
      await chmod(target, 0o755)
      await mkdir(directory, { recursive: true, mode: 0o755 })
      // the first that has the name keeps it
      await symlink(relative(directory, target), join(directory, command)).catch(ignoreTaken)
    }
  }
}

function commandsOf({ manifest }: ResolvedPackage, place: string): [string, string][] {
  const bin = manifest?.['bin']
  const all = typeof bin === 'string' ? { [place.split('/').at(-1) ?? '']: bin } : bin
  if (typeof all !== 'object' || all === null) return []
  return Object.entries(all).flatMap(([command, path]) =>
    commandName.test(command) && typeof path === 'string' ? [[command, path]] : [],
  )
}

function ignoreTaken(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST') throw error
}
