import { languageOfFile, type WorkspaceFile } from '@coherex/contract'
import type { QueryClient } from '@tanstack/react-query'
import { storeOptions } from '../../cell/options/stored-options.ts'
import { writeOptions } from '../../cell/options/typed-options.ts'
import { runProgramQuery } from '../../data/run/run-program.ts'
import { changeFiles, listFiles, openScratch as openWorkspace } from '../../data/scratch.ts'
import { readOwn } from '../../ui/state/stored.ts'
import { examples, optionsOf } from './examples.ts'
import { entryOf, optionsFor } from './program-place.ts'
import { besideEachOther, contentOf, readDrafts, type ProgramFiles } from './taken-drafts.ts'

export interface OpenedScratch {
  id: string
  file: string | undefined
  /** What was replaced, by which version. */
  replaced?: { path: string; version: number } | undefined
}

/** The file that is in sight when Scratch is opened again. */
export const lastFileKey = 'draft.scratch-file'

/** Opens one's own workspace, with what this browser kept of it, and with the program of a run where one is named. */
export async function openScratch(queryClient: QueryClient, runId: string | undefined): Promise<OpenedScratch> {
  const { id } = await openWorkspace()
  const { items } = await listFiles(id)
  const paths = new Set(items.map(({ path }) => path))
  const drafts = readDrafts()
  const kept = besideEachOther(drafts.programs, paths)
  if (kept.length > 0) await write(id, kept, 'Taken over from the browser')
  drafts.forget()
  if (runId !== undefined) {
    const program = await programOf(queryClient, runId)
    const { version } = await write(id, [program], 'The program of a run')
    const replaced = Object.keys(program.files).find((path) => paths.has(path))
    return { id, file: program.entry, ...(replaced !== undefined && { replaced: { path: replaced, version } }) }
  }
  const last = readOwn(lastFileKey)
  const file = kept.at(-1)?.entry ?? (last !== undefined && paths.has(last) ? last : changedLast(items))
  if (file !== undefined || paths.size > 0) return { id, file }
  const first = firstProgram()
  await write(id, [first], 'A first program')
  return { id, file: first.entry }
}

/** On another machine one goes on with the program that was changed last. */
function changedLast(files: readonly WorkspaceFile[]): string | undefined {
  const programs = files.filter(({ path }) => languageOfFile(path) !== undefined)
  return programs.toSorted((a, b) => b.version - a.version)[0]?.path
}

async function write(id: string, programs: readonly ProgramFiles[], message: string) {
  const contents = Object.assign({}, ...programs.map(({ files }) => files)) as ProgramFiles['files']
  const written = Object.entries(contents).map(([path, content]) =>
    typeof content === 'string' ? { path, text: content } : { path, base64: content.base64 },
  )
  const changed = await changeFiles(id, { write: written, message })
  for (const { entry, options } of programs) storeOptions(id, entry, options)
  return changed
}

function firstProgram(): ProgramFiles {
  const [example] = examples.python
  const entry = entryOf('python')
  const options = example ? optionsOf(example) : optionsOf({})
  return { entry, files: { [entry]: example?.code ?? '' }, options }
}

async function programOf(queryClient: QueryClient, runId: string): Promise<ProgramFiles> {
  const { entry, code, files, options } = await queryClient.ensureQueryData(runProgramQuery(runId))
  const { language } = options
  const path = entryOf(language, entry)
  return {
    entry: path,
    files: { ...files, [path]: contentOf(language, code) },
    options: optionsFor(language, writeOptions(options)),
  }
}
