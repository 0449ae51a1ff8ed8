import { hiddenCharacters } from '@coherex/contract'
import { Fragment } from 'react'

/** Text in which nothing is invisible: a character that cannot be seen stands as its number, marked so that no text can pass for one. */
export function VisibleText({ text }: { text: string }) {
  const pieces = cutAtHidden(text)
  if (pieces.length === 1) return text
  return pieces.map((piece, index) =>
    index % 2 === 0 ? (
      <Fragment key={index}>{piece}</Fragment>
    ) : (
      <mark key={index} title="A character that cannot be seen" className="rounded-sm bg-amber-soft text-amber">
        {piece}
      </mark>
    ),
  )
}

/** Plain text and numbers of hidden characters in turn. Lines and tabs are seen. */
function cutAtHidden(text: string): string[] {
  const pieces = ['']
  let at = 0
  for (const { 0: character, index } of text.matchAll(hiddenCharacters)) {
    if (character === '\n' || character === '\t') continue
    pieces[pieces.length - 1] += text.slice(at, index)
    const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    pieces.push(`<U+${number}>`, '')
    at = index + character.length
  }
  pieces[pieces.length - 1] += text.slice(at)
  return pieces
}
