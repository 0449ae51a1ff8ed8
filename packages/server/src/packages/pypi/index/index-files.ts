import { CoherexError } from '@coherex/contract'
import { z } from 'zod'
import type { Egress } from '../../../egress/index.ts'
import { normalizeName } from '../requirement.ts'
import { askIndex, type IndexPlace, withoutCredentials } from './index-place.ts'

/** A file of a package, as the page of the index names it. */
export interface IndexFile {
  filename: string
  version: string
  /** Absolute. */
  url: string
  /** As in subresource integrity; undefined where the page tells no SHA-256. */
  integrity: string | undefined
  publishedAt: string | null
  size: number | null
}

const maxPage = 5_000_000

const page = z.object({
  files: z.array(
    z.object({
      filename: z.string(),
      url: z.string(),
      hashes: z.record(z.string(), z.string()).nullish(),
      size: z.number().nullish(),
      'upload-time': z.string().nullish(),
      yanked: z.union([z.boolean(), z.string()]).nullish(),
    }),
  ),
})

/** All files of a package that are not withdrawn; undefined where the index has none of that name. */
export async function readIndexFiles(
  place: IndexPlace,
  name: string,
  { egress, signal }: { egress: Egress; signal: AbortSignal },
): Promise<IndexFile[] | undefined> {
  const normal = normalizeName(name)
  const url = new URL(`${encodeURIComponent(normal)}/`, withoutCredentials(place.url)).href
  const answer = await askIndex(place, { url, maxBytes: maxPage }, { egress, signal })
  if (answer.status === 404) return undefined
  if (answer.status !== 200 || answer.truncated) {
    throw new CoherexError('unavailable', `The package index ${place.shown} does not tell about ${normal}`)
  }
  const text = Buffer.from(answer.body).toString('utf8')
  const told = text.trimStart().startsWith('{') ? readJson(text) : readHtml(text)
  return told.flatMap(({ sha256, ...file }) => {
    const version = versionOf(file.filename, normal)
    const address = URL.parse(file.url, url)
    if (version === undefined || !address) return []
    address.hash = ''
    const at = file.publishedAt === null ? Number.NaN : Date.parse(file.publishedAt)
    return {
      ...file,
      version,
      url: address.href,
      publishedAt: Number.isNaN(at) ? null : new Date(at).toISOString(),
      integrity: /^[0-9a-f]{64}$/i.test(sha256) ? `sha256-${Buffer.from(sha256, 'hex').toString('base64')}` : undefined,
    }
  })
}

type ToldFile = Omit<IndexFile, 'version' | 'integrity'> & { sha256: string }

function readJson(text: string): ToldFile[] {
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    return []
  }
  return (page.safeParse(parsed).data?.files ?? [])
    .filter(({ yanked }) => yanked === undefined || yanked === null || yanked === false)
    .map(({ filename, url, hashes, size, 'upload-time': at }) => ({
      ...{ filename, url, publishedAt: at ?? null, size: size ?? null, sha256: hashes?.['sha256'] ?? '' },
    }))
}

const anchor = /<a\s([^>]{0,4000})>([^<]{1,300})<\/a>/g

function readHtml(text: string): ToldFile[] {
  return [...text.matchAll(anchor)]
    .filter(([, attributes = '']) => !/data-yanked/.test(attributes))
    .map(([, attributes = '', filename = '']) => {
      const url = /href="([^"]+)"/.exec(attributes)?.[1] ?? ''
      const publishedAt = /data-upload-time="([^"]+)"/.exec(attributes)?.[1] ?? null
      const sha256 = /#sha256=([0-9a-f]+)/i.exec(url)?.[1] ?? ''
      return { filename: filename.trim(), url, publishedAt, size: null, sha256 }
    })
}

function versionOf(filename: string, name: string): string | undefined {
  if (filename.endsWith('.whl')) return filename.split('-')[1]
  const stem = /^(.+)\.(?:tar\.gz|zip|tar\.bz2)$/.exec(filename)?.[1]
  if (stem === undefined) return undefined
  const cut = stem.lastIndexOf('-')
  return cut > 0 && normalizeName(stem.slice(0, cut)) === name ? stem.slice(cut + 1) : undefined
}
