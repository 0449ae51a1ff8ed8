import type { TextMatch } from '@coherex/contract'
import { useReplace, type TextQuery } from '../../../data/file.ts'
import { useVersionsUndo } from '../../../data/version.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { toast } from '../../../ui/toast/toast.ts'

/** Replaces what was found as one version, with a way back. */
export function useReplaceTexts(live: LiveWorkspace, id: string, query: TextQuery) {
  const replace = useReplace()
  const undo = useVersionsUndo()
  return {
    isPending: replace.isPending,
    error: replace.error,
    async run(replacement: string, only?: TextMatch): Promise<boolean> {
      // the server replaces in what it has
      await live.stored()
      const place = only && { path: only.path, line: only.line, column: only.column }
      try {
        const body = { ...query, replacement, ...(place && { only: place }) }
        const { version, items } = await replace.mutateAsync({ params: { id }, body })
        const places = items.reduce((sum, { count }) => sum + count, 0)
        toast({
          title: `Replaced ${countWords(places, 'place')} in ${countWords(items.length, 'file')}`,
          ...(places > 0 && {
            action: { label: 'Undo', run: () => undo.mutate({ params: { id }, body: { versions: [version] } }) },
          }),
        })
        return true
      } catch {
        // it stands beside the field
        return false
      }
    },
  }
}

export const countWords = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
