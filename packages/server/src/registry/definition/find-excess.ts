import { CST, Lexer } from 'yaml'

// far more than any field of ours takes
const deepest = 40
// what a definition with every field at its limit has, a few times over; a text of many lines is one part
const mostParts = 10_000

interface Excess {
  offset: number
  message: string
}

/**
 * Where a text has more in it than any definition, before it is parsed: the parser takes seconds for a text that is
 * nothing but brackets, keys or commas, and nobody else is served meanwhile. Splitting it into tokens takes milliseconds.
 */
export function findExcess(source: string): Excess | undefined {
  let offset = 0
  let parts = 0
  let brackets = 0
  /** Within a line and outside of brackets. */
  let steps = 0
  let isText = false
  for (const token of new Lexer().lex(source)) {
    // the text of a scalar follows its mark, and may look like anything
    const type: ReturnType<typeof CST.tokenType> = isText ? null : CST.tokenType(token)
    isText = type === 'scalar'
    if (type === 'flow-map-start' || type === 'flow-seq-start') brackets++
    else if (type === 'flow-map-end' || type === 'flow-seq-end') brackets--
    else if (type === 'newline') steps = 0
    else if (type === 'seq-item-ind' || type === 'explicit-key-ind' || type === 'map-value-ind') {
      if (brackets === 0) steps++
    }
    if (brackets > deepest || steps > deepest) return { offset, message: 'is nested too deeply' }
    if (++parts > mostParts) return { offset, message: 'has more parts than any definition needs' }
    // marks of the lexer stand for nothing in the text
    if (type !== 'scalar' && type !== 'doc-mode' && type !== 'flow-error-end') offset += token.length
  }
  return undefined
}
