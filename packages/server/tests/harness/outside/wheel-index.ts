import { createHash } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { makeWheel, type Wheel, type WheelSpec } from './wheel.ts'

interface Offered extends Wheel {
  name: string
  uploadedAt: Date
  /** What the page says instead of the truth. */
  sha256?: string
  url?: string
}

export interface OfferOptions {
  uploadedAt?: Date
  sha256?: string
  /** Where the page says the file is. */
  url?: string
}

/** A package index on loopback, with simple pages in JSON (PEP 691) and files of its own. */
export interface WheelIndex {
  /** Of its simple pages. */
  url: string
  origin: string
  /** Paths that were asked for. */
  asked: string[]
  offer(spec: WheelSpec, options?: OfferOptions): Wheel
  offerFile(name: string, file: Wheel, options?: OfferOptions): void
  /** Answers every request under a path with a redirect. */
  redirect(path: string, to: string): void
  close(): Promise<void>
}

export async function createWheelIndex(
  options: { tellsTimes?: boolean; credentials?: string } = {},
): Promise<WheelIndex> {
  const { tellsTimes = true, credentials } = options
  const offered: Offered[] = []
  const redirects = new Map<string, string>()
  const asked: string[] = []
  let origin = ''

  const page = (name: string) => {
    const files = offered
      .filter((one) => one.name === name)
      .map(({ filename, bytes, uploadedAt, sha256, url, metadata }) => ({
        filename,
        url: url ?? `${origin}/files/${filename}`,
        hashes: { sha256: sha256 ?? createHash('sha256').update(bytes).digest('hex') },
        size: bytes.length,
        ...(tellsTimes && { 'upload-time': uploadedAt.toISOString() }),
        'core-metadata': filename.endsWith('.whl') && metadata !== '',
        yanked: false,
      }))
    return files.length > 0 ? { meta: { 'api-version': '1.1' }, name, files } : undefined
  }

  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url ?? '', 'http://x').pathname)
    asked.push(path)
    if (credentials && request.headers.authorization !== `Basic ${Buffer.from(credentials).toString('base64')}`) {
      return void response.writeHead(401).end()
    }
    const to = [...redirects].find(([prefix]) => path.startsWith(prefix))?.[1]
    if (to !== undefined) return void response.writeHead(302, { location: to }).end()
    const simple = /^\/simple\/([^/]+)\/?$/.exec(path)?.[1]
    const body = simple && page(simple)
    if (body) {
      return void response
        .writeHead(200, { 'content-type': 'application/vnd.pypi.simple.v1+json' })
        .end(JSON.stringify(body))
    }
    const filename = /^\/files\/(.+)$/.exec(path)?.[1]
    const whole = offered.find((one) => one.filename === filename)
    if (whole) return void response.writeHead(200, { 'content-length': whole.bytes.length }).end(whole.bytes)
    const described = offered.find((one) => `${one.filename}.metadata` === filename)
    if (described) return void response.writeHead(200).end(described.metadata)
    response.writeHead(404).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const index = new URL(`${origin}/simple/`)
  const [user = '', password = ''] = credentials?.split(':') ?? []
  index.username = user
  index.password = password

  const offerFile: WheelIndex['offerFile'] = (name, file, { uploadedAt = new Date(0), ...rest } = {}) => {
    offered.push({ name: name.toLowerCase().replace(/[-_.]+/g, '-'), ...file, uploadedAt, ...rest })
  }
  return {
    ...{ url: index.href, origin, asked, offerFile },
    offer(spec, offer) {
      const wheel = makeWheel(spec)
      offerFile(spec.name, wheel, offer)
      return wheel
    },
    redirect: (path, to) => void redirects.set(path, to),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
