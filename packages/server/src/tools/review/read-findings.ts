import { z } from 'zod'
import type { Finding } from '../../registry/index.ts'

const mostFindings = 100
const longestNote = 4_000

const finding = z.object({
  note: z.string().min(1),
  file: z.string().nullish(),
  line: z.number().int().min(1).max(1_000_000).nullish(),
})
const answer = z.union([z.object({ findings: z.array(finding) }), z.array(finding)])

/** What a reviewer found, from its answer; undefined where the answer is no such JSON. A file that is not there is left out. */
export function readFindings(text: string, paths: ReadonlySet<string>): Finding[] | undefined {
  const parsed = answer.safeParse(parseJson(text))
  if (!parsed.success) return undefined
  const found = Array.isArray(parsed.data) ? parsed.data : parsed.data.findings
  return found.slice(0, mostFindings).map(({ note, file, line }) => {
    const isThere = file !== undefined && file !== null && paths.has(file)
    return { note: toNote(note), file: isThere ? file : null, line: isThere ? (line ?? null) : null }
  })
}

/** Text of others as it can be kept. */
export function toNote(text: string): string {
  return text.replaceAll('\0', '').toWellFormed().slice(0, longestNote).toWellFormed()
}

/** The JSON in a text: models like to say something around it. */
function parseJson(text: string): unknown {
  for (const [first, last] of [
    [0, text.length],
    [text.indexOf('{'), text.lastIndexOf('}') + 1],
    [text.indexOf('['), text.lastIndexOf(']') + 1],
  ] as const) {
    if (first < 0 || last <= first) continue
    try {
      return JSON.parse(text.slice(first, last)) as unknown
    } catch {
      // the next part may be one
    }
  }
  return undefined
}
