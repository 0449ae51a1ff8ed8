import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { CoherexError } from '@coherex/contract'
import type { Settings } from './config.ts'

const thisFolder = fileURLToPath(new URL('.', import.meta.url))

const isProject = (folder: string): boolean =>
  existsSync(join(folder, 'scripts/operate.mjs')) && existsSync(join(folder, 'packages/server/package.json'))

/** The folder of the server on this machine: the one that was named, one around us, or the one this program is part of. */
export function findProject({ home, directory }: Settings, ownFolder = thisFolder): string | undefined {
  if (home) return isProject(home) ? home : undefined
  return upwards(directory) ?? upwards(ownFolder)
}

export function requireProject(settings: Settings, ownFolder?: string): string {
  const project = findProject(settings, ownFolder)
  if (project) return project
  const reason = settings.home
    ? `COHEREX_HOME is ${settings.home}, and no Coherex is there`
    : 'run it on the machine of the server, in its folder, or set COHEREX_HOME to that folder'
  throw new CoherexError('invalid_input', `Cannot find the server's files: ${reason}`)
}

function upwards(from: string): string | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    if (isProject(folder)) return folder
    if (folder === dirname(folder)) return undefined
  }
}
