import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  chooseManifest,
  CoherexError,
  languageOfFile,
  manifestFiles,
  packageLanguageOf,
  readManifest,
  type ManifestName,
  type PackageLanguage,
} from '@coherex/contract'

/** The packages of a folder as its files name them. */
export interface FolderManifest {
  language: PackageLanguage
  /** Names of its files. */
  manifest: ManifestName
  lock: string
  /** Undefined where there is no such file yet. */
  text: string | undefined
  lockText: string | undefined
  requirements: string[]
}

/** Reads `package.json`, `requirements.txt` or `pyproject.toml` of a folder with its lock. Where it has both, the language must be said. */
export async function readFolderManifest(directory: string, said?: PackageLanguage): Promise<FolderManifest> {
  const names = await readdir(directory)
  const language = said ?? guessLanguage(names)
  const { manifests, lock } = manifestFiles[language]
  const read = async (name: string) => (names.includes(name) ? readFile(join(directory, name), 'utf8') : undefined)
  const texts = new Map<ManifestName, string | undefined>()
  for (const name of manifests) texts.set(name, await read(name))
  const manifest = chooseManifest(language, (name) => texts.get(name))
  const text = texts.get(manifest)
  return { language, manifest, lock, text, lockText: await read(lock), requirements: readManifest(manifest, text) }
}

const packageLanguages = Object.keys(manifestFiles) as PackageLanguage[]

/** By its manifest, else by the code in it. */
function guessLanguage(names: readonly string[]): PackageLanguage {
  const byManifest = packageLanguages.filter((one) => manifestFiles[one].manifests.some((name) => names.includes(name)))
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
