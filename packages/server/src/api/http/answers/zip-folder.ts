import { isPlainPath, type SandboxFile } from '@coherex/contract'
import { Zip, ZipDeflate } from 'fflate'

const level = 3

/** A zip of files below a folder, made while it is read. Names that could climb out of where it is unpacked are left out. */
export async function* zipFolder(
  entries: SandboxFile[],
  folder: string,
  open: (path: string) => Promise<AsyncIterable<Uint8Array>>,
): AsyncGenerator<Uint8Array> {
  let ready: Uint8Array[] = []
  const zip = new Zip((error, chunk) => {
    if (error) throw error
    ready.push(chunk)
  })
  const take = () => {
    const taken = ready
    ready = []
    return taken
  }
  for (const { path, type, modifiedAt } of entries) {
    const name = folder === '' ? path : path.slice(folder.length + 1)
    if (type === 'link' || !isPlainPath(name)) continue
    const entry = new ZipDeflate(type === 'directory' ? `${name}/` : name, { level })
    entry.mtime = clampToZip(modifiedAt)
    zip.add(entry)
    if (type === 'file') {
      // one that is gone by now is an empty one: the entry has begun
      const chunks = await open(path).catch(() => [])
      for await (const chunk of chunks) {
        entry.push(chunk)
        yield* take()
      }
    }
    entry.push(new Uint8Array(), true)
    yield* take()
  }
  zip.end()
  yield* take()
}

/** Zips know the years 1980 to 2099. */
function clampToZip(time: string): number {
  return Math.min(Math.max(Date.parse(time), Date.UTC(1980, 0, 2)), Date.UTC(2099, 0, 1))
}
