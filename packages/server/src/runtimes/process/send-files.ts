import type { Program } from '../runtime.ts'
import type { GuestConnection } from './guest-connection.ts'

const chunkBytes = 1024 * 1024

/** The files beside the entry of a program, to a guest that has none of them yet. */
export function sendFiles(connection: GuestConnection, { files, entry }: Pick<Program, 'files' | 'entry'>): void {
  for (const [path, content] of Object.entries(files)) {
    if (path === entry) continue
    const bytes = Buffer.from(content)
    for (let at = 0; at === 0 || at < bytes.length; at += chunkBytes) {
      const base64 = bytes.subarray(at, at + chunkBytes).toString('base64')
      connection.send({ type: 'file', path, base64, last: at + chunkBytes >= bytes.length })
    }
  }
}
