import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from 'virtual:contract-routes'
import { call } from '../../../data/query/call.ts'
import { refetchNouns } from '../../../data/query/noun.ts'
import { toast } from '../../../ui/toast/toast.ts'

export interface GivenUpload {
  path: string
  file: Blob
}

/** What became of files: they came from this machine, or from a run. */
type UploadVerb = 'Uploaded' | 'Saved'

/** Sends files one after the other; what fails is said, the rest goes on. */
export function useUpload(id: string, taken: ReadonlySet<string>) {
  const queryClient = useQueryClient()
  const [progress, setProgress] = useState<{ done: number; of: number }>()

  async function upload(given: readonly GivenUpload[], verb: UploadVerb = 'Uploaded'): Promise<string[]> {
    if (given.length === 0) return []
    const failed: string[] = []
    let reason = ''
    for (const [done, { path, file }] of given.entries()) {
      setProgress({ done, of: given.length })
      try {
        await call(routes.workspaces.writeFile, {
          params: { id, path },
          query: { message: `${verb} ${path}` },
          body: file,
        })
      } catch (error) {
        failed.push(path)
        reason = error instanceof Error ? error.message : String(error)
      }
    }
    setProgress(undefined)
    await refetchNouns(queryClient, ['file', 'version', 'workspace', 'audit'], id)
    const sent = given.length - failed.length
    const replaced = given.filter(({ path }) => taken.has(path) && !failed.includes(path)).length
    if (sent > 0) {
      toast({
        title: `${verb} ${sent === 1 ? given.find(({ path }) => !failed.includes(path))?.path : `${sent} files`}`,
        ...(replaced > 0 ? { description: `${replaced} were there already; what they were is in the history.` } : {}),
      })
    }
    if (failed.length > 0)
      toast({
        title: `Could not ${verb === 'Saved' ? 'save' : 'upload'} ${failed.join(', ')}`,
        description: reason,
        tone: 'error',
      })
    return given.flatMap(({ path }) => (failed.includes(path) ? [] : [path]))
  }
  return { upload, progress }
}

/** The files of a drop, those in folders included. */
export async function droppedFiles(transfer: DataTransfer): Promise<GivenUpload[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...transfer.files].map((file) => ({ path: file.name, file }))
  return (await Promise.all(entries.map((entry) => filesOf(entry, '')))).flat()
}

async function filesOf(entry: FileSystemEntry, folder: string): Promise<GivenUpload[]> {
  const path = folder + entry.name
  if (entry instanceof FileSystemFileEntry) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ path, file }]
  }
  if (!(entry instanceof FileSystemDirectoryEntry)) return []
  const reader = entry.createReader()
  const found: GivenUpload[] = []
  // a reader gives a hundred at a time, and nothing at the end
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (some.length === 0) return found
    for (const one of some) found.push(...(await filesOf(one, `${path}/`)))
  }
}
