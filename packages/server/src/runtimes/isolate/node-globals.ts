/** Classes that Node has as globals and the isolate has not. */
const classes = new Set(
  `Blob BroadcastChannel ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy DecompressionStream File FormData MessageChannel
  PerformanceObserver ReadableStream TextDecoderStream TextEncoderStream TransformStream URLPattern WebSocket WritableStream`.split(
    /\s+/,
  ),
)

const word = /[A-Za-z_$][\w$]*/y
const member = /\s*\??\.\s*([A-Za-z]\w*)/y

/** The word at a place, and what it names that only Node has. */
export function readWord(text: string, at: number): { end: number; global: string | undefined } {
  word.lastIndex = at
  const name = word.exec(text)?.[0]
  if (name === undefined) return { end: at + 1, global: undefined }
  const end = at + name.length
  return { end, global: isPartOfMore(text, at) ? undefined : globalOf(name, { text, at, end }) }
}

/** The first that the text neither declares itself nor asks for with care. */
export function firstOfNode(text: string, globals: Iterable<string>): string | undefined {
  for (const global of globals) {
    const [root = ''] = global.split('.')
    const declared = `(?:class|function|const|let|var|import\\b[^\\n;]{0,99}[\\s{,])\\s{0,9}`
    const asked = `typeof\\s{1,9}(?:globalThis\\.)?`
    if (!new RegExp(`\\b(?:${declared}|${asked})\\b${root}\\b`).test(text)) return global
  }
  return undefined
}

function isPartOfMore(text: string, at: number): boolean {
  const before = text[at - 1] ?? ''
  return /[\w$#]/.test(before) || (before === '.' && text[at - 2] !== '.')
}

function globalOf(name: string, { text, at, end }: { text: string; at: number; end: number }): string | undefined {
  if (classes.has(name)) return /\bnew\s{1,9}$/.test(text.slice(Math.max(0, at - 13), at)) ? name : undefined
  if (name !== 'process' && name !== 'crypto') return undefined
  member.lastIndex = end
  const asked = member.exec(text)?.[1]
  if (name === 'crypto') return asked === 'subtle' ? 'crypto.subtle' : undefined
  return asked !== undefined && asked in process ? `process.${asked}` : undefined
}
