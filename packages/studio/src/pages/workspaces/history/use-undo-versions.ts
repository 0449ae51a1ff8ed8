import { useVersionRestore, useVersionsUndo } from '../../../data/version.ts'
import { toast } from '../../../ui/toast/toast.ts'

/** Takes back what some versions changed and nothing else, with a way back. */
export function useUndoVersions(id: string, last: number) {
  const undo = useVersionsUndo()
  const restore = useVersionRestore()
  return function run(versions: number[]): void {
    undo.mutate(
      { params: { id }, body: { versions } },
      {
        onSuccess({ version, undone, kept }) {
          const stays = kept.map(({ path, why }) => `${path} stays as it is: ${why}`).join('. ')
          if (undone.length === 0) {
            const description = stays || 'The changes are not in the files any more.'
            toast({ title: 'Nothing was undone', description, tone: 'info' })
            return
          }
          const files = undone.length === 1 ? undone[0] : `${undone.length} files`
          toast({
            title: `${files}: changes undone as version ${version}`,
            ...(stays && { description: stays }),
            action: {
              label: 'Undo',
              run: () => restore.mutate({ params: { id, number: last }, body: { paths: undone } }),
            },
          })
        },
        onError: (error) => toast({ title: 'Nothing was undone', description: error.message, tone: 'error' }),
      },
    )
  }
}
