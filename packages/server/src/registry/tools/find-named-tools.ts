import { readText, type Folder } from '../definition/folder.ts'

/** A tool that code calls, at the version it asks for. */
export interface NamedTool {
  name: string
  pins: number | null
}

const mostNamed = 100
const quoted = String.raw`["'\`]([a-z][a-z0-9-]{0,62})(?:@(\d{1,9}))?["'\`]`
/** `TOOLS.invoice(…)`, `TOOLS['invoice@3'](…)`, `TOOLS.call('invoice@3', …)`, and the same of Python's `tools`. */
const calls = new RegExp(
  String.raw`\b(?:TOOLS|tools)\s*(?:\.\s*call\s*\(\s*${quoted}|\[\s*${quoted}\s*\]|\.\s*([A-Za-z]\w{0,62})\s*\()`,
  'g',
)

/** Tools that the files of one name in calls. Whether there are such tools is another question. */
export function findNamedTools(files: Folder): NamedTool[] {
  const found = new Map<string, NamedTool>()
  for (const bytes of files.values()) {
    for (const [, called, calledPin, keyed, keyedPin, plain = ''] of (readText(bytes) ?? '').matchAll(calls)) {
      const name = called ?? keyed ?? toToolName(plain)
      const pins = Number(calledPin ?? keyedPin) || null
      if (found.size < mostNamed) found.set(`${name}@${pins}`, { name, pins })
    }
  }
  return [...found.values()].sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : (a.pins ?? 0) - (b.pins ?? 0),
  )
}

/** A property has no hyphens: `count_words` and `countWords` are `count-words`. */
function toToolName(property: string): string {
  return property
    .replace(/_/g, '-')
    .replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    .replace(/^-/, '')
}
