import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { blobGraceMs, isBlobHash, isBlobTeam, type BlobFolder, type Blobs, type ListedBlob } from './blobs.ts'
import { createS3Requests, type Fetch, type S3Place } from './s3-requests.ts'

export interface S3BlobsOptions extends S3Place {
  fetch: Fetch
  /** Where a stream waits until its hash is known. */
  directory: string
  graceMs?: number
  /** Of one request; an object that is larger goes up in as many parts as it takes. */
  partBytes?: number
}

// marks beside the objects: an object is being removed, and whoever wants it meanwhile waits for the outcome; or it was asked for
const removing = '.removing'
const used = '.used'
// a server that was killed leaves its mark
const markLastsMs = 60_000
const atOnce = 8

/** Blobs as objects of a bucket of S3 or what speaks it. */
export function createS3Blobs(options: S3BlobsOptions): Blobs {
  const { fetch, directory, graceMs = blobGraceMs, partBytes = 16 * 1024 * 1024 } = options
  const request = createS3Requests(options, fetch)
  const keyOf = (teamId: string, hash: string) => {
    if (!isBlobTeam(teamId) || !isBlobHash(hash)) throw new Error('not a blob name')
    return `${teamId}/${hash.slice(0, 2)}/${hash}`
  }
  const remove = (key: string) => request({ method: 'DELETE', key }, 204, 200, 404)
  const mark = (key: string) => request({ method: 'PUT', key, body: new Uint8Array() }, 200)

  /** By the store's own clock, so that two machines whose clocks differ agree. */
  const look = async (key: string): Promise<{ size: number; ageMs: number } | undefined> => {
    const { status, headers } = await request({ method: 'HEAD', key }, 200, 404)
    if (status === 404) return undefined
    const changedAt = Date.parse(headers.get('last-modified') ?? '')
    const now = Date.parse(headers.get('date') ?? '') || Date.now()
    return { size: Number(headers.get('content-length')), ageMs: now - changedAt }
  }

  /** Whether it is there when those who remove it are done; whoever begins later sees that it is in use. */
  const outlivesRemoval = async (key: string): Promise<boolean> => {
    for (;;) {
      let isMarked = false
      for await (const { key: left, changedAt } of listKeys(`${removing}/${key}/`)) {
        if (Date.now() - changedAt > markLastsMs) await remove(left)
        else isMarked = true
      }
      if (!isMarked) return (await look(key)) !== undefined
      await wait(50)
    }
  }

  /** Marks an object as used now; false when it is not there. */
  const setUsed = async (key: string): Promise<boolean> => {
    const found = await look(key)
    if (!found) return false
    // the age is told in seconds, and half of the grace time is enough for whoever asks
    if (found.ageMs > graceMs / 2) await mark(`${used}/${key}`)
    return outlivesRemoval(key)
  }

  const isYoung = async (key: string): Promise<boolean> => {
    for (const one of [key, `${used}/${key}`]) {
      const found = await look(one)
      if (found && found.ageMs < graceMs) return true
    }
    return false
  }

  const putAll = async (key: string, hash: string, body: Uint8Array): Promise<void> => {
    // the store checks what arrives against it
    await request({ method: 'PUT', key, body, headers: { 'x-amz-content-sha256': hash } }, 200)
  }

  const putInParts = async (key: string, path: string, size: number): Promise<void> => {
    const begun = await request({ method: 'POST', key, query: { uploads: '' } }, 200)
    const uploadId = /<UploadId>([^<]+)<\/UploadId>/.exec(await begun.text())?.[1]
    if (uploadId === undefined) throw new Error('The object store began no upload')
    const file = await open(path)
    try {
      const parts: string[] = []
      for (let at = 0; at < size; at += partBytes) {
        const part = Buffer.alloc(Math.min(partBytes, size - at))
        await file.read(part, 0, part.length, at)
        const query = { partNumber: String(parts.length + 1), uploadId }
        const { headers } = await request({ method: 'PUT', key, query, body: part }, 200)
        parts.push(`<Part><PartNumber>${parts.length + 1}</PartNumber><ETag>${headers.get('etag') ?? ''}</ETag></Part>`)
      }
      const body = Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`)
      const done = await request({ method: 'POST', key, query: { uploadId }, body }, 200)
      // S3 may only find out while it puts the parts together, after it has said 200
      const text = await done.text()
      if (text.includes('<Error>')) throw new Error(`The object store lost an upload: ${text.slice(0, 200)}`)
    } catch (error) {
      await request({ method: 'DELETE', key, query: { uploadId } }, 204, 404).catch(() => undefined)
      throw error
    } finally {
      await file.close()
    }
  }

  const put = async (teamId: string, hash: string, send: (key: string) => Promise<void>): Promise<string> => {
    const key = keyOf(teamId, hash)
    if (await setUsed(key)) return hash
    do await send(key)
    while (!(await outlivesRemoval(key)))
    return hash
  }

  async function* listKeys(prefix: string): AsyncIterable<{ key: string; size: number; changedAt: number }> {
    let token: string | undefined
    do {
      const query = {
        'list-type': '2',
        prefix: `${options.prefix}${prefix}`,
        ...(token && { 'continuation-token': token }),
      }
      const text = await (await request({ method: 'GET', query }, 200)).text()
      for (const [, content = ''] of text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
        const field = (name: string) => new RegExp(`<${name}>([^<]*)</${name}>`).exec(content)?.[1] ?? ''
        const key = field('Key').slice(options.prefix.length)
        yield { key, size: Number(field('Size')), changedAt: Date.parse(field('LastModified')) }
      }
      token = /<NextContinuationToken>([^<]+)</.exec(text)?.[1]?.replaceAll('&amp;', '&')
    } while (token !== undefined)
  }

  const removeAll = async (prefix: string): Promise<void> => {
    let waiting: Promise<unknown>[] = []
    for await (const { key } of listKeys(prefix)) {
      waiting.push(remove(key))
      if (waiting.length < atOnce) continue
      await Promise.all(waiting)
      waiting = []
    }
    await Promise.all(waiting)
  }

  return {
    async put(teamId, bytes) {
      if (!isBlobTeam(teamId)) throw new Error('not a blob name')
      if (bytes instanceof Uint8Array && bytes.length <= partBytes) {
        const hash = createHash('sha256').update(bytes).digest('hex')
        return put(teamId, hash, (key) => putAll(key, hash, bytes))
      }
      await mkdir(directory, { recursive: true, mode: 0o700 })
      const path = join(directory, `${randomUUID()}.part`)
      try {
        const { hash, size } = await writeDown(path, bytes instanceof Uint8Array ? [bytes] : bytes)
        return await put(teamId, hash, async (key) => {
          if (size <= partBytes) await putAll(key, hash, await readFile(path))
          else await putInParts(key, path, size)
        })
      } finally {
        await rm(path, { force: true })
      }
    },
    async read(teamId, hash) {
      const answer = await request({ method: 'GET', key: keyOf(teamId, hash) }, 200, 404)
      if (answer.status === 200)
        return answer.body ? Readable.fromWeb(answer.body as Parameters<typeof Readable.fromWeb>[0]) : Readable.from([])
      // a bucket that is gone is no reason to believe that nobody has files
      if ((await answer.text()).includes('NoSuchBucket')) throw new Error('The object store refuses: NoSuchBucket')
      return undefined
    },
    has: (teamId, hash) => setUsed(keyOf(teamId, hash)),
    async size(teamId, hash) {
      return (await look(keyOf(teamId, hash)))?.size ?? 0
    },
    async *list(part?: BlobFolder): AsyncIterable<ListedBlob> {
      for await (const { key, size, changedAt } of listKeys(part ? `${part.teamId}/${part.folder}/` : '')) {
        const [teamId = '', , hash = ''] = key.split('/')
        if (isBlobTeam(teamId) && isBlobHash(hash)) yield { teamId, hash, size, usedAt: changedAt }
      }
    },
    async remove(teamId, hash) {
      const key = keyOf(teamId, hash)
      if (!(await look(key))) return
      // one for each that removes: who is done first must not take away what the other says
      const own = `${removing}/${key}/${randomUUID()}`
      await mark(own)
      try {
        // looked at after the mark: whoever used it before is seen here, and whoever comes later sees the mark
        if (graceMs > 0 && (await isYoung(key))) return
        await remove(key)
        await remove(`${used}/${key}`)
      } finally {
        await remove(own)
      }
    },
    async tidy({ teamId, folder }) {
      for await (const { key, changedAt } of listKeys(`${removing}/${teamId}/${folder}/`))
        if (Date.now() - changedAt > markLastsMs) await remove(key)
    },
    async removeTeam(teamId) {
      if (!isBlobTeam(teamId)) throw new Error('not a blob name')
      for (const place of ['', `${removing}/`, `${used}/`]) await removeAll(`${place}${teamId}/`)
    },
  }
}

async function writeDown(
  path: string,
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): Promise<{ hash: string; size: number }> {
  const hash = createHash('sha256')
  let size = 0
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const chunk of chunks) {
      hash.update(chunk)
      size += chunk.length
      await file.writeFile(chunk)
    }
  } finally {
    await file.close()
  }
  return { hash: hash.digest('hex'), size }
}
