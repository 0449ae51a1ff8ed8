import { NodeGlobals } from './node-globals.ts'

/** What a JavaScript or TypeScript text asks for from outside itself. */
export interface FoundImports {
  specifiers: string[]
  usesRequire: boolean
  /** The first global it names that only Node has. */
  nodeGlobal: string | undefined
}

const lookBehind = 40

/**
 * Finds import specifiers in one pass, without parsing: the server must not be held up by a parser bomb. Comments, strings
 * and templates are told apart; a regular expression that fools the scan costs a wrong routing, nothing more.
 */
export function scanImports(text: string): FoundImports {
  const specifiers = new Set<string>()
  let usesRequire = false
  const globals = new NodeGlobals()
  // how deep in braces each open template's ${ is
  const templates: number[] = []
  let depth = 0
  let plainUntil = 0
  let at = 0

  const skipTemplate = () => {
    for (; at < text.length; at++) {
      const character = text[at]
      if (character === '\\') at++
      else if (character === '`') return void at++
      else if (character === '$' && text[at + 1] === '{') {
        templates.push(depth)
        at += 2
        return
      }
    }
  }

  while (at < text.length) {
    const character = text[at]!
    if (character === '/' && text[at + 1] === '/') {
      at = endOfLine(text, at)
    } else if (character === '/' && text[at + 1] === '*') {
      const end = text.indexOf('*/', at + 2)
      at = end < 0 ? text.length : end + 2
    } else if (character === '/' && at >= plainUntil && beginsRegex(text, at)) {
      const end = skipRegex(text, at)
      // one that does not close on its line was a division: looking again at each slash of a long line would be quadratic
      if (end === undefined) plainUntil = endOfLine(text, at)
      at = end ?? at + 1
    } else if (character === '"' || character === "'") {
      const end = endOfString(text, at)
      const before = text.slice(Math.max(0, at - lookBehind), at)
      if (/(?:^|[^\w$.])(?:from|import|import\s*\()\s*$/.test(before)) specifiers.add(text.slice(at + 1, end))
      else if (/(?:^|[^\w$.])require\s*\(\s*$/.test(before)) {
        usesRequire = true
        specifiers.add(text.slice(at + 1, end))
      }
      at = end + 1
    } else if (character === '`') {
      at++
      skipTemplate()
    } else if (character === '}' && templates.at(-1) === depth) {
      templates.pop()
      at++
      skipTemplate()
    } else if (isLetter(character)) {
      at = globals.read(text, at)
    } else {
      if (character === '{') depth++
      else if (character === '}') depth--
      at++
    }
  }
  return { specifiers: [...specifiers], usesRequire, nodeGlobal: globals.first() }
}

function isLetter(character: string): boolean {
  return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z')
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === text[start] || character === '\n') return at
  }
  return text.length
}

// a slash divides after a value, and begins a regular expression elsewhere
function beginsRegex(text: string, at: number): boolean {
  const before = text.slice(Math.max(0, at - lookBehind), at).trimEnd()
  return (
    before === '' ||
    /[(,=:[!&|?{};+\-*%~^<>]$|(?:^|[^\w$.])(?:return|typeof|case|in|of|do|else|void|await|yield)$/.test(before)
  )
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

function skipRegex(text: string, start: number): number | undefined {
  let isClass = false
  for (let at = start + 1; at < text.length; at++) {
    const character = text[at]
    if (character === '\\') at++
    else if (character === '\n') return undefined
    else if (character === '[') isClass = true
    else if (character === ']') isClass = false
    else if (character === '/' && !isClass) return at + 1
  }
  return undefined
}
