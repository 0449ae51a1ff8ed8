import { useRef, useState } from 'react'
import { readStoredOptions, storeOptions } from '../../../cell/options/stored-options.ts'
import type { TypedOptions } from '../../../cell/options/typed-options.ts'

export type FileOptions = ReturnType<typeof useFileOptions>

/** What a file is run with, remembered for each file of the workspace. */
export function useFileOptions(workspaceId: string) {
  const [known, setKnown] = useState<ReadonlyMap<string, TypedOptions>>(new Map())
  const latest = useRef(known)
  const read = (from: ReadonlyMap<string, TypedOptions>, path: string) =>
    from.get(path) ?? readStoredOptions(workspaceId, path)
  return {
    get: (path: string) => read(known, path),
    latest: (path: string) => read(latest.current, path),
    put(path: string, options: TypedOptions) {
      latest.current = new Map(latest.current).set(path, options)
      setKnown(latest.current)
      storeOptions(workspaceId, path, options)
    },
  }
}
