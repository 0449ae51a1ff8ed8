import { readStored, writeStored } from '../../ui/state/stored.ts'
import { noOptions, type TypedOptions } from './typed-options.ts'

// they may hold what was typed for one run only: forgotten with drafts when another person signs in
const keyOf = (workspaceId: string, path: string) => `draft.options.${workspaceId}/${path}`

/** What a file of a workspace was last to be run with. */
export function readStoredOptions(workspaceId: string, path: string): TypedOptions {
  try {
    const given = JSON.parse(readStored(keyOf(workspaceId, path)) ?? '{}') as Partial<Record<string, unknown>>
    // options of another version of the form: those that are still of the same kind stay
    const known = Object.entries(noOptions).filter(([name, plain]) => typeof given[name] === typeof plain)
    return { ...noOptions, ...Object.fromEntries(known.map(([name]) => [name, given[name]])) }
  } catch {
    return noOptions
  }
}

export function storeOptions(workspaceId: string, path: string, options: TypedOptions): void {
  const isPlain = Object.entries(noOptions).every(([name, plain]) => options[name as keyof TypedOptions] === plain)
  writeStored(keyOf(workspaceId, path), isPlain ? undefined : JSON.stringify(options))
}
