/** Classes that Node has as globals and the isolate has not. */
const classes = new Set(
  `Blob BroadcastChannel ByteLengthQueuingStrategy CompressionStream CountQueuingStrategy DecompressionStream File FormData MessageChannel
  PerformanceObserver ReadableStream TextDecoderStream TextEncoderStream TransformStream URLPattern WebSocket WritableStream`.split(
    /\s+/,
  ),
)

const word = /[A-Za-z_$][\w$]*/y
const member = /\s*\??\.\s*([A-Za-z]\w*)/y
const lookBehind = 40
const longestImport = 200
// this is the server's own thread; a global that is not found here is told when its line runs
const mostLookedAt = 1000

/** Which globals a text names that only Node has; a text of a stranger, so each word of it is looked at once. */
export class NodeGlobals {
  readonly #named = new Set<string>()
  /** Names that the text declares itself, or asks for with care. */
  readonly #own = new Set<string>()
  #lookedAt = 0

  /** Takes the word at a place of the text, and tells where it ends. */
  read(text: string, at: number): number {
    word.lastIndex = at
    const name = word.exec(text)?.[0]
    if (name === undefined) return at + 1
    const end = at + name.length
    if (!isGlobal(name) || this.#own.has(name) || ++this.#lookedAt > mostLookedAt) return end
    if (isDeclared(text, at)) this.#own.add(name)
    else if (!isPartOfMore(text, at)) this.#take(name, { text, at, end })
    return end
  }

  first(): string | undefined {
    for (const named of this.#named) if (!this.#own.has(named.split('.')[0]!)) return named
    return undefined
  }

  #take(name: string, { text, at, end }: { text: string; at: number; end: number }): void {
    if (classes.has(name)) {
      if (/\bnew\s{1,9}$/.test(text.slice(Math.max(0, at - 13), at))) this.#named.add(name)
      return
    }
    member.lastIndex = end
    const asked = member.exec(text)?.[1]
    if (asked !== undefined && isOfNode(name, asked)) this.#named.add(`${name}.${asked}`)
  }
}

function isGlobal(name: string): boolean {
  return name === 'process' || name === 'crypto' || classes.has(name)
}

function isOfNode(name: string, asked: string): boolean {
  if (name === 'crypto') return asked === 'subtle'
  return asked in process && !(asked in Object.prototype)
}

function isDeclared(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - lookBehind), at)
  if (/\b(?:class|function\*?|const|let|var|typeof)\s{1,9}(?:globalThis\.)?$/.test(before)) return true
  const since = text.slice(Math.max(0, at - longestImport), at)
  const imported = since.lastIndexOf('import')
  return imported >= 0 && /^import\b[^;'"`()=]*$/.test(since.slice(imported))
}

function isPartOfMore(text: string, at: number): boolean {
  const before = text[at - 1] ?? ''
  return /[\w$#]/.test(before) || (before === '.' && text[at - 2] !== '.')
}
