import type { TextQuery } from '../../../data/file.ts'

/** Finds what the server found, to highlight it; undefined for what only RE2 understands. */
export function finderOf({ pattern, regex, matchCase }: TextQuery): RegExp | undefined {
  if (pattern === '') return undefined
  // a pattern of somebody else's may take forever in an engine that backtracks: only plain words and simple classes
  if (regex && /[(){}|]|[*+?][^]*[*+?]/.test(pattern)) return undefined
  const source = regex ? pattern : pattern.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  try {
    return new RegExp(`(${source})`, matchCase ? 'u' : 'iu')
  } catch {
    return undefined
  }
}
