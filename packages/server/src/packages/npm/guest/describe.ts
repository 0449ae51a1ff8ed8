import { Documents } from './documents.ts'
import type { Host } from './host.ts'

const most = 50

/** What people are shown of a package; undefined where the registry has none of that name. */
export async function describe(host: Host, name: string): Promise<unknown> {
  // the short one has neither times nor a summary
  const document = await new Documents(host, { mayLackTimes: true }).whole(name)
  if (!document) return undefined
  const { time = {} } = document
  const published = Object.values(document.versions).map(({ version, dist }) => ({
    version,
    publishedAt: toMoment(time[version]),
    size: Number.isSafeInteger(dist?.unpackedSize) ? (dist.unpackedSize ?? null) : null,
  }))
  // a registry without times lists them as they came
  const versions = published
    .reverse()
    .toSorted((a, b) => (b.publishedAt ?? '').localeCompare(a.publishedAt ?? ''))
    .slice(0, most)
  return { name, summary: `${document.description ?? ''}`.slice(0, 500), versions }
}

function toMoment(text: string | undefined): string | null {
  const at = new Date(text ?? '')
  return Number.isNaN(at.getTime()) ? null : at.toISOString()
}
