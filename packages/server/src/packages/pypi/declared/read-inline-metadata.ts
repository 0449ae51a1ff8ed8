import { CoherexError } from '@coherex/contract'
import type { DeclaredPackages } from './declared-packages.ts'
import { parseToml, readDependencies } from './read-dependencies.ts'

// the head of the block is looked for at the start of lines alone
const start = /^# \/\/\/ script[ \t]*\r?$/gm
const maxBlock = 64_000

/** Inline metadata of a script (PEP 723), `# /// script`. Undefined where there is none. */
export function readInlineMetadata(code: string): DeclaredPackages | undefined {
  const heads = [...code.matchAll(start)]
  const head = heads[0]
  if (!head) return undefined
  if (heads.length > 1) throw wrong('it has several blocks "# /// script"')
  const lines: string[] = []
  let end = -1
  let size = 0
  for (const line of linesFrom(code, head.index + head[0].length + 1)) {
    // the last closing line within the comment counts
    if (!line.startsWith('#')) break
    if (line !== '#' && !line.startsWith('# ')) break
    size += line.length
    if (size > maxBlock) throw wrong('its block "# /// script" is longer than 64,000 characters')
    if (/^# \/\/\/[ \t]*$/.test(line)) end = lines.length
    lines.push(line === '#' ? '' : line.slice(2))
  }
  if (end < 0) throw wrong('its block "# /// script" has no closing line "# ///"')
  const metadata = parseToml(lines.slice(0, end).join('\n'), wrong)
  return readDependencies(metadata['dependencies'], metadata['requires-python'], wrong)
}

function* linesFrom(text: string, from: number): Generator<string> {
  for (let at = from; at < text.length;) {
    const next = text.indexOf('\n', at)
    const line = text.slice(at, next < 0 ? undefined : next)
    yield line.endsWith('\r') ? line.slice(0, -1) : line
    if (next < 0) return
    at = next + 1
  }
}

function wrong(why: string): CoherexError {
  return new CoherexError('invalid_input', `Cannot read the packages of the script: ${why}`)
}
