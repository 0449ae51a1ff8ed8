import { isPlainPath } from '@coherex/contract'
import type { ProducedFile } from '../runtime.ts'

const maxPathBytes = 1024

/** Puts together the files a guest sends, within bounds, under paths that cannot climb. */
export function createProducedFiles(bounds: { maxBytes: number; maxFiles: number }) {
  const finished: ProducedFile[] = []
  let open: { path: string; pieces: Buffer[] } | undefined
  let bytes = 0
  let refused = 0

  return {
    piece(path: string, base64: string, last: boolean): void {
      if (open && open.path !== path) open = undefined
      open ??= { path, pieces: [] }
      const data = Buffer.from(base64, 'base64')
      bytes += data.length
      if (bytes > bounds.maxBytes || finished.length >= bounds.maxFiles || !isInside(path)) {
        open = undefined
        refused++
        return
      }
      open.pieces.push(data)
      if (!last) return
      finished.push({ path, bytes: new Uint8Array(Buffer.concat(open.pieces)) })
      open = undefined
    },
    link(path: string, target: string): void {
      if (finished.length >= bounds.maxFiles || !isInside(path) || target.length > 4096) return void refused++
      finished.push({ path, bytes: new Uint8Array(), linkTarget: target })
    },
    get files(): ProducedFile[] {
      return finished
    },
    get refused(): number {
      return refused
    },
  }
}

/** A path below the home, as the guest's collector writes them. A hostile guest may send any other. */
export function isInside(path: string): boolean {
  return Buffer.byteLength(path) <= maxPathBytes && isPlainPath(path)
}
