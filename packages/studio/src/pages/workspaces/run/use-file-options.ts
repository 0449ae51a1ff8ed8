import { useRef, useState } from 'react'
import { noOptions, type TypedOptions } from '../../../cell/options/typed-options.ts'
import { readStored, writeStored } from '../../../ui/state/stored.ts'

export type FileOptions = ReturnType<typeof useFileOptions>

/** What a file is run with, remembered for each file of the workspace. */
export function useFileOptions(workspaceId: string) {
  // they may hold what was typed for one run only: forgotten with drafts when another person signs in
  const prefix = `draft.options.${workspaceId}/`
  const [known, setKnown] = useState<ReadonlyMap<string, TypedOptions>>(new Map())
  const latest = useRef(known)
  const read = (from: ReadonlyMap<string, TypedOptions>, path: string) =>
    from.get(path) ?? parseOptions(readStored(prefix + path))
  return {
    get: (path: string) => read(known, path),
    latest: (path: string) => read(latest.current, path),
    put(path: string, options: TypedOptions) {
      latest.current = new Map(latest.current).set(path, options)
      setKnown(latest.current)
      const isPlain = Object.entries(noOptions).every(([name, plain]) => options[name as keyof TypedOptions] === plain)
      writeStored(prefix + path, isPlain ? undefined : JSON.stringify(options))
    },
  }
}

function parseOptions(stored: string | undefined): TypedOptions {
  if (stored === undefined) return noOptions
  try {
    const given = JSON.parse(stored) as Partial<Record<string, unknown>>
    // options of another version of the form: those that are still of the same kind stay
    const known = Object.entries(noOptions).filter(([name, plain]) => typeof given[name] === typeof plain)
    return { ...noOptions, ...Object.fromEntries(known.map(([name]) => [name, given[name]])) }
  } catch {
    return noOptions
  }
}
