import type { LayOutOptions } from './package-source.ts'

/** Counts what is fetched of some packages, and tells it as it grows. */
export function countFetched(of: number, onProgress: LayOutOptions['onProgress']) {
  const underWay = new Set<string>()
  let [packages, bytes] = [0, 0]
  const tell = () => onProgress({ packages, of, bytes, fetching: [...underWay] })
  return {
    /** Tells of the archive of a package while it is fetched. */
    async during<Fetched>(name: string, fetch: (onPiece: (pieceBytes: number) => void) => Promise<Fetched>) {
      underWay.add(name)
      tell()
      try {
        return await fetch((pieceBytes) => {
          bytes += pieceBytes
          tell()
        })
      } finally {
        underWay.delete(name)
      }
    },
    /** One more is there. */
    finish(): void {
      packages++
      tell()
    },
  }
}
