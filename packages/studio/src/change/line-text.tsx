import type { CodeToken } from '../markdown/highlight-code.ts'
import type { Mark } from './changed-words.ts'
import { VisibleText } from './visible-text.tsx'

interface LineTextProps {
  text: string
  tokens?: readonly CodeToken[] | undefined
  mark?: Mark | undefined
  markClass?: string
}

/** One line of code: its colours, what changed in it, and nothing invisible. */
export function LineText({ text, tokens, mark, markClass }: LineTextProps) {
  const pieces = cut(tokens ?? [{ content: text }], mark)
  return pieces.map(({ content, color, isMarked }, index) => (
    <span key={index} style={color ? { color } : undefined} className={isMarked ? markClass : undefined}>
      <VisibleText text={content} />
    </span>
  ))
}

interface Piece extends CodeToken {
  isMarked: boolean
}

function cut(tokens: readonly CodeToken[], mark: Mark | undefined): Piece[] {
  if (!mark) return tokens.map((token) => ({ ...token, isMarked: false }))
  const { from, to } = mark
  let at = 0
  return tokens.flatMap((token) => {
    const start = at
    at += token.content.length
    const [first, last] = [Math.min(Math.max(from, start), at), Math.min(Math.max(to, start), at)]
    return [
      { ...token, content: token.content.slice(0, first - start), isMarked: false },
      { ...token, content: token.content.slice(first - start, last - start), isMarked: true },
      { ...token, content: token.content.slice(last - start), isMarked: false },
    ].filter(({ content }) => content !== '')
  })
}
