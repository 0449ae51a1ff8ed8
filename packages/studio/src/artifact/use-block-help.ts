import { useMemo } from 'react'
import { readSuggestion } from '../data/inline-help.ts'
import { useModelList } from '../data/library/model.ts'
import { suggestionsOffKey, type EditorHelp } from '../editor/help.ts'
import { readStored } from '../ui/state/stored.ts'

/** What a model would write next in a block; undefined where no model is set or suggestions are off. */
export function useBlockHelp(path: string): EditorHelp | undefined {
  const hasModel = typeof useModelList().data?.defaultModel === 'string'
  return useMemo(
    () =>
      hasModel && readStored(suggestionsOffKey) === undefined
        ? { suggest: async (place, signal) => (await readSuggestion({ path, ...place }, signal)).text }
        : undefined,
    [hasModel, path],
  )
}
