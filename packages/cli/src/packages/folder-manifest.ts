import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  CoherexError,
  languageOfFile,
  manifestFiles,
  packageLanguageOf,
  readManifest,
  type PackageLanguage,
} from '@coherex/contract'

/** The packages of a folder as its files name them. */
export interface FolderManifest {
  language: PackageLanguage
  /** Names of its files. */
  manifest: string
  lock: string
  /** Undefined where there is no such file yet. */
  text: string | undefined
  lockText: string | undefined
  requirements: string[]
}

/** Reads `package.json` or `requirements.txt` of a folder with its lock. Where it has both, the language must be said. */
export async function readFolderManifest(directory: string, said?: PackageLanguage): Promise<FolderManifest> {
  const names = await readdir(directory)
  const language = said ?? guessLanguage(names)
  const { manifest, lock } = manifestFiles[language]
  if (language === 'python' && !names.includes(manifest) && names.includes('pyproject.toml')) {
    throw new CoherexError(
      'invalid_input',
      'This folder names its packages in pyproject.toml; change its dependencies there, runs read them from it',
    )
  }
  const read = async (name: string) => (names.includes(name) ? readFile(join(directory, name), 'utf8') : undefined)
  const text = await read(manifest)
  return { language, manifest, lock, text, lockText: await read(lock), requirements: readManifest(language, text) }
}

const packageLanguages = Object.keys(manifestFiles) as PackageLanguage[]

/** By its manifest, else by the code in it. */
function guessLanguage(names: readonly string[]): PackageLanguage {
  const byManifest = packageLanguages.filter((one) => names.includes(manifestFiles[one].manifest))
  if (names.includes('pyproject.toml') && !byManifest.includes('python')) byManifest.push('python')
  const byCode = new Set(
    names.flatMap((name) => languageOfFile(name) ?? []).flatMap((one) => packageLanguageOf(one) ?? []),
  )
  const found = byManifest.length > 0 ? byManifest : [...byCode]
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  throw new CoherexError(
    'invalid_input',
    found.length === 0
      ? 'Cannot tell whether this folder is Python or JavaScript; give --language python or --language javascript'
      : 'This folder has packages of Python and of JavaScript; give --language python or --language javascript',
  )
}
