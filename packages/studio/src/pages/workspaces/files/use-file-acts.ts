import { languageFacts, languageOfFile } from '@coherex/contract'
import { useFileMove, useFileWrite, fileUrl } from '../../../data/file.ts'
import { toast } from '../../../ui/toast/toast.ts'
import { downloadFrom } from '../file/download-from.ts'

interface FileActsOptions {
  id: string
  taken: ReadonlySet<string>
  onMoved: (from: string, to: string) => void
  onMade: (path: string) => void
  /** It is to be looked at, not typed in. */
  onConverted: (path: string) => void
  /** A file as it is typed; undefined while that is not known. */
  textAt: (path: string) => string | undefined
}

/** What is done with files without asking: move by dragging, duplicate, and convert between scripts and notebooks. */
export function useFileActs({ id, taken, onMoved, onMade, onConverted, textAt }: FileActsOptions) {
  const write = useFileWrite()
  const moveFile = useFileMove()
  const tellFailure = (title: string) => (error: Error) => toast({ title, description: error.message, tone: 'error' })

  function rename(from: string, to: string, then: () => void) {
    moveFile.mutate(
      { params: { id }, body: { from, to } },
      { onSuccess: () => (onMoved(from, to), then()), onError: tellFailure(`Could not move ${from}`) },
    )
  }
  async function readText(path: string): Promise<string> {
    const typed = textAt(path)
    if (typed !== undefined) return typed
    const response = await fetch(fileUrl(id, path))
    if (!response.ok) throw new Error('The file could not be read.')
    return response.text()
  }
  /** A script as a notebook, or a notebook as a script: its path and text. */
  async function convert(path: string): Promise<{ to: string; text: string }> {
    const [{ toNotebook, toScript }, { readNotebook }, { notebookLanguage }] = await Promise.all([
      import('../notebook/convert-script.ts'),
      import('../notebook/notebook-text.ts'),
      import('../notebook/notebook-language.ts'),
    ])
    const text = await readText(path)
    const stem = path.replace(/\.[^./]+$/, '')
    const language = languageOfFile(path)
    if (language) return { to: `${stem}.ipynb`, text: toNotebook(text, language) }
    const notebook = readNotebook(text)
    if (typeof notebook === 'string') throw new Error(notebook)
    const written = notebookLanguage(notebook.languageName) ?? 'python'
    return { to: `${stem}${languageFacts[written].extensions[0]}`, text: toScript(notebook, written) }
  }
  return {
    /** Writes a script as a notebook beside it, or a notebook as a script, and opens that. */
    async convert(path: string) {
      try {
        const { to, text } = await convert(path)
        const free = freeName(to, taken)
        await write.mutateAsync({ params: { id, path: free }, query: { expectedVersion: 0 }, body: text })
        onConverted(free)
      } catch (error) {
        tellFailure(`Could not convert ${path}`)(error as Error)
      }
    },
    /** Downloads a script as a notebook. */
    async exportNotebook(path: string) {
      try {
        const { to, text } = await convert(path)
        const url = URL.createObjectURL(new Blob([text], { type: 'application/x-ipynb+json' }))
        downloadFrom(url, to)
        setTimeout(() => URL.revokeObjectURL(url), 60_000)
      } catch (error) {
        tellFailure(`Could not export ${path}`)(error as Error)
      }
    },
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

/** The path, or one with a number where it is taken: `notes 2.ipynb`. */
function freeName(path: string, taken: ReadonlySet<string>): string {
  const dot = path.lastIndexOf('.')
  for (let count = 1; ; count++) {
    const next = count === 1 ? path : `${path.slice(0, dot)} ${count}${path.slice(dot)}`
    if (!taken.has(next)) return next
  }
}

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
