import { CoherexError } from '@coherex/contract'
import { readPyproject, readRequirementsFile } from '../../packages/index.ts'

/** A file beside the code; undefined where there is none. */
export type ReadBeside = (file: string) => string | undefined

/** Files that say which packages code needs, and the lock files beside them. */
export const declaringFiles = ['requirements.txt', 'pyproject.toml', 'pylock.toml', 'package.json', 'package-lock.json']

/** What requirements.txt lists, or else pyproject.toml. */
export function declaredByProject(readBeside: ReadBeside): string[] {
  const requirements = readBeside('requirements.txt')
  const project = readBeside('pyproject.toml')
  const declared =
    (requirements === undefined ? undefined : readQuietly(() => readRequirementsFile(requirements))) ??
    (project === undefined ? undefined : readQuietly(() => readPyproject(project)))
  return declared?.requirements ?? []
}

/** `dependencies` of package.json, without those that are addresses, paths or aliases. */
export function declaredByManifest(readBeside: ReadBeside): string[] {
  const text = readBeside('package.json')
  if (text === undefined) return []
  const manifest = readQuietly(() => JSON.parse(text) as unknown)
  const { dependencies } = (manifest ?? {}) as { dependencies?: unknown }
  if (typeof dependencies !== 'object' || dependencies === null) return []
  return Object.entries(dependencies).flatMap(([name, range]) =>
    typeof range === 'string' && /^[\w.*^~<>=|+\- ]{0,100}$/.test(range)
      ? [range === '' || range === '*' ? name : `${name}@${range}`]
      : [],
  )
}

/** A file that cannot be read asks for nothing: the program may have it for something else. */
function readQuietly<Read>(read: () => Read): Read | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof CoherexError || error instanceof SyntaxError) return undefined
    throw error
  }
}
