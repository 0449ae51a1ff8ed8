import { Lexer } from 'marked'
import { useEffect, useState } from 'react'
import { BoundedTokenizer } from './bounded-tokenizer.ts'
import type { Lex } from './lex-within.ts'
import { markdownOptions } from './markdown-options.ts'

export const lexPlain: Lex = (text) => Lexer.lex(text, { ...markdownOptions, tokenizer: new BoundedTokenizer() })
let lexAll: Lex | undefined

/** What reads Markdown: with formulas as soon as there are signs of one, which most texts have not. */
export function useLexer(text: string): Lex {
  const [lex, setLex] = useState(() => lexAll)
  const needed = !lex && /\$|\\[([]/.test(text)
  useEffect(() => {
    if (!needed) return undefined
    let gone = false
    import('./lex-formulas.ts').then(
      ({ lexFormulas }) => {
        lexAll = lexFormulas
        if (!gone) setLex(() => lexFormulas)
      },
      () => undefined, // their source is shown
    )
    return () => {
      gone = true
    }
  }, [needed])
  return lex ?? lexPlain
}
