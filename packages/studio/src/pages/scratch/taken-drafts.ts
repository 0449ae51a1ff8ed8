import { languageFacts, languages, type GivenFile, type Language } from '@coherex/contract'
import { noOptions, type TypedOptions } from '../../cell/options/typed-options.ts'
import { readOwn, writeOwn } from '../../ui/state/stored.ts'
import { entryOf, optionsFor } from './program-place.ts'

/** A program as files of a workspace. */
export interface ProgramFiles {
  entry: string
  files: Record<string, string | GivenFile>
  options: TypedOptions
}

interface Draft {
  entry: string
  files: Record<string, string>
  binary?: Record<string, GivenFile>
  options: Partial<TypedOptions>
}

const keyOf = (language: Language) => `draft.scratch.${language}`

/** What this browser kept of Scratch before Scratch was a workspace, the language that was used last at the end. */
export function readDrafts(): { programs: ProgramFiles[]; forget: () => void } {
  const last = readOwn('scratch.language')
  const kept = languages.filter((one) => readOwn(keyOf(one)) !== undefined)
  const ordered = kept.toSorted((a, b) => Number(a === last) - Number(b === last))
  return {
    programs: ordered.flatMap((language) => {
      const draft = parseDraft(readOwn(keyOf(language)))
      return draft ? [toFiles(language, draft)] : []
    }),
    forget: () => kept.forEach((language) => writeOwn(keyOf(language), undefined)),
  }
}

function toFiles(language: Language, { entry, files, binary = {}, options }: Draft): ProgramFiles {
  const { [entry]: code = '', ...others } = files
  const path = entryOf(language, entry)
  return {
    entry: path,
    files: { ...others, ...binary, [path]: contentOf(language, code) },
    options: optionsFor(language, { ...noOptions, ...options }),
  }
}

/** WebAssembly is typed as base64 and kept as its bytes. */
export function contentOf(language: Language, code: string): string | GivenFile {
  return language === 'wasm' ? { base64: code.replaceAll(/\s/g, '') } : code
}

/**
 * Programs of several languages beside each other: one that would replace a file of another kind gets a folder of its own,
 * so that nothing is lost.
 */
export function besideEachOther(programs: readonly ProgramFiles[], taken: ReadonlySet<string>): ProgramFiles[] {
  const used = new Set(taken)
  return programs.map((program) => {
    const paths = Object.keys(program.files)
    const clashes = paths.some((path) => used.has(path))
    const folder = clashes ? freeFolder(program.entry, used) : ''
    for (const path of paths) used.add(folder + path)
    if (folder === '') return program
    const moved = Object.entries(program.files).map(([path, content]) => [folder + path, content] as const)
    return { ...program, entry: folder + program.entry, files: Object.fromEntries(moved) }
  })
}

function freeFolder(entry: string, used: ReadonlySet<string>): string {
  const name = languages.find((one) => entry.endsWith(languageFacts[one].extensions[0] ?? '')) ?? 'draft'
  for (let n = 1; ; n++) {
    const folder = `${name}${n === 1 ? '' : `-${n}`}/`
    if (![...used].some((path) => path.startsWith(folder) || `${path}/` === folder)) return folder
  }
}

function parseDraft(stored: string | undefined): Draft | undefined {
  try {
    const draft = JSON.parse(stored ?? 'null') as Partial<Draft> | null
    const isDraft =
      typeof draft?.entry === 'string' &&
      typeof draft.files === 'object' &&
      typeof draft.files[draft.entry] === 'string' &&
      typeof draft.options === 'object'
    return isDraft ? (draft as Draft) : undefined
  } catch {
    return undefined // what cannot be read is worth nothing
  }
}
