import { CoherexError, routes, type Run } from '@coherex/contract'
import type { Connection } from '../connect.ts'
import { bodyOf } from './body-of.ts'
import type { Folder } from './folder.ts'

/** Fetches files a run wrote, all or the one that is named, and gives where they are now. */
export async function downloadFiles({ open }: Connection, run: Run, folder: Folder, only?: string): Promise<string[]> {
  const wanted = only === undefined ? run.files : run.files.filter(({ path }) => path === only)
  if (only !== undefined && wanted.length === 0) {
    throw new CoherexError('not_found', `Run ${run.id} has no file "${only}"; coherex runs show ${run.id} lists them`)
  }
  const saved: string[] = []
  for (const { path } of wanted) {
    const body = bodyOf(await open(routes.runs.file, { params: { id: run.id, path } }))
    saved.push(await folder.save(path, body))
  }
  return saved
}
