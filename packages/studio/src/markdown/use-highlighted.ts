import './code-colours.css'
import { useEffect, useState } from 'react'
import type { CodeToken } from './highlight-code.ts'

// long text is read, not looked at, and would keep the page busy
const longest = 30_000
const quietMs = 120

/** The colours of code, once it stopped growing. */
export function useHighlighted(text: string, language: string): CodeToken[][] | undefined {
  const [found, setFound] = useState<{ text: string; language: string; lines: CodeToken[][] }>()
  useEffect(() => {
    if (language === '' || text.length > longest) return undefined
    let gone = false
    const timer = setTimeout(() => {
      import('./highlight-code.ts')
        .then(({ highlightCode }) => highlightCode(text, language))
        .then((lines) => !gone && lines && setFound({ text, language, lines }))
        .catch(() => undefined) // code without colours is still code
    }, quietMs)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [text, language])
  return found?.text === text && found.language === language ? found.lines : undefined
}
