import { readFile, stat } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Context, Hono } from 'hono'
import type { Env } from '../requests/request-context.ts'
import { chooseEncoding } from './compress-answers.ts'
import { sharedPageOf } from './shared-pages.ts'

const types: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.ttf': 'font/ttf',
  '.wasm': 'application/wasm',
}
const compressible = new Set(['.html', '.js', '.css', '.json', '.svg', '.wasm', '.so'])

interface Asset {
  body: Buffer
  type: string
  isCompressible: boolean
  /** Those that were asked for, and what the build compressed. */
  encodings: Map<Encoding, Promise<Buffer>>
}

type Encoding = NonNullable<ReturnType<typeof chooseEncoding>>

const compress: Record<Encoding, (body: Buffer) => Promise<Buffer>> = {
  br: (body) => promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (body) => promisify(gzip)(body),
}

/** Serves the built studio. Paths that are no file are pages of the app. */
export function mountStudio(app: Hono<Env>, directory: string): void {
  const assets = new Map<string, Promise<Asset | undefined>>()
  const find = (path: string) => {
    const known = assets.get(path)
    if (known) return known
    const loading = loadAsset(directory, path)
    // index.html names the build's files: after a new build it must be read again
    if (path.startsWith('/assets/')) {
      assets.set(path, loading)
      void loading.then((asset) => asset ?? assets.delete(path))
    }
    return loading
  }

  app.get('*', async (context) => {
    const path = decodePath(context.req.path)
    const asset = path && path !== '/' ? await find(path) : undefined
    if (asset && path) return answer(context, asset, path)
    if (path?.startsWith('/assets/') || !context.req.header('accept')?.includes('text/html')) return context.notFound()
    // pages of shares are built apart: nothing of the studio is in them that asks in somebody's name
    const document = sharedPageOf(context.req.path) ? '/shared.html' : '/index.html'
    const page = await find(document)
    if (page) return answer(context, page, document)
    return context.text('The studio is not built yet: run "npm start", or "npm run build -w packages/studio"', 503)
  })
}

async function loadAsset(directory: string, path: string): Promise<Asset | undefined> {
  const file = join(directory, normalize(path))
  // names that begin with a dot are the build's own notes
  if (!file.startsWith(directory + sep) || file.slice(directory.length).includes(`${sep}.`)) return undefined
  const info = await stat(file).catch(() => undefined)
  // a new build may take it away in between
  const body = info?.isFile() ? await readFile(file).catch(() => undefined) : undefined
  if (!body) return undefined
  const extension = extname(file)
  const isCompressible = compressible.has(extension) && body.length > 1024
  const encodings: Asset['encodings'] = new Map()
  // what the build compressed is smaller than what can be made of it in time
  const brotli = isCompressible ? await readFile(`${file}.br`).catch(() => undefined) : undefined
  if (brotli) encodings.set('br', Promise.resolve(brotli))
  return { body, type: types[extension] ?? 'application/octet-stream', isCompressible, encodings }
}

function encode({ body, encodings }: Asset, encoding: Encoding): Promise<Buffer> {
  const known = encodings.get(encoding) ?? compress[encoding](body)
  encodings.set(encoding, known)
  return known
}

async function answer(context: Context<Env>, asset: Asset, path: string): Promise<Response> {
  const encoding = asset.isCompressible ? chooseEncoding(context.req.header('accept-encoding')) : undefined
  context.header('content-type', asset.type)
  context.header('vary', 'accept-encoding')
  // names under /assets carry a hash of their content
  context.header('cache-control', path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache')
  if (encoding) context.header('content-encoding', encoding)
  return context.body(new Uint8Array(encoding ? await encode(asset, encoding) : asset.body))
}

function decodePath(path: string): string | undefined {
  try {
    const decoded = decodeURIComponent(path)
    return decoded.includes('\0') ? undefined : decoded
  } catch {
    return undefined
  }
}
