import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { pack } from 'tar-stream'

export interface TarballEntry {
  name: string
  type?: 'file' | 'link' | 'symlink' | 'character-device' | 'directory'
  linkname?: string
  mode?: number
  content?: string | Buffer
}

/** A tarball as npm makes them: everything is below `package/`. `extra` entries are taken as they are. */
export async function makeTarball(
  files: Record<string, string | Buffer>,
  extra: readonly TarballEntry[] = [],
): Promise<Buffer> {
  const archive = pack()
  const chunks = readAll(archive)
  for (const [path, content] of Object.entries(files)) archive.entry({ name: `package/${path}` }, content)
  for (const { content, ...header } of extra) archive.entry(header, content ?? '')
  archive.finalize()
  return gzipSync(Buffer.concat(await chunks))
}

export function integrityOf(bytes: Uint8Array): string {
  return `sha512-${createHash('sha512').update(bytes).digest('base64')}`
}

async function readAll(stream: AsyncIterable<unknown>): Promise<Buffer[]> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return chunks
}
