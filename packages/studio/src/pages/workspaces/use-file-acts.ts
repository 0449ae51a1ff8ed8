import { useFileMove, useFileWrite, fileUrl } from '../../data/file.ts'
import { toast } from '../../ui/toast/toast.ts'

interface FileActsOptions {
  id: string
  taken: ReadonlySet<string>
  onMoved: (from: string, to: string) => void
  onMade: (path: string) => void
}

/** What the tree does with files without asking: move by dragging, and duplicate. */
export function useFileActs({ id, taken, onMoved, onMade }: FileActsOptions) {
  const write = useFileWrite()
  const moveFile = useFileMove()
  const tellFailure = (title: string) => (error: Error) => toast({ title, description: error.message, tone: 'error' })

  function rename(from: string, to: string, then: () => void) {
    moveFile.mutate(
      { params: { id }, body: { from, to } },
      { onSuccess: () => (onMoved(from, to), then()), onError: tellFailure(`Could not move ${from}`) },
    )
  }
  return {
    move(from: string, folder: string) {
      const name = nameOf(from)
      const to = folder === '' ? name : `${folder}/${name}`
      rename(from, to, () =>
        toast({
          title: `Moved ${name} to ${folder || 'the top'}`,
          action: { label: 'Undo', run: () => rename(to, from, () => {}) },
        }),
      )
    },
    async duplicate(path: string) {
      try {
        const response = await fetch(fileUrl(id, path))
        if (!response.ok) throw new Error('The file could not be read.')
        const to = copyName(path, taken)
        await write.mutateAsync({
          params: { id, path: to },
          query: { expectedVersion: 0 },
          body: await response.blob(),
        })
        onMade(to)
      } catch (error) {
        tellFailure(`Could not duplicate ${path}`)(error as Error)
      }
    },
  }
}

const nameOf = (path: string) => path.split('/').at(-1) ?? path

/** A name beside a file that is free: `notes copy.md`, `notes copy 2.md`. */
function copyName(path: string, taken: ReadonlySet<string>): string {
  const name = nameOf(path)
  const folder = path.slice(0, path.length - name.length)
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let count = 1; ; count++) {
    const next = `${folder}${stem} copy${count === 1 ? '' : ` ${count}`}${ending}`
    if (!taken.has(next)) return next
  }
}
