import { hiddenCharacters } from '@coherex/contract'

/** Text in which nothing is invisible: whatever cannot be seen stands as its number. Line ends stay, and tabs if told so. */
export function showHidden(text: string, { keepsTabs = false }: { keepsTabs?: boolean } = {}): string {
  return text.replace(hiddenCharacters, (character) => {
    if (character === '\n' || (keepsTabs && character === '\t')) return character
    const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `<U+${number}>`
  })
}

/** Whether something in a text cannot be seen. What makes emoji out of signs is seen. */
export function hasHidden(text: string): boolean {
  return text.replace(/[\uFE0F\u200D\s]/g, '').search(hiddenCharacters) >= 0
}

/** One line without what cannot be seen, for a list that a model reads. */
export function toPlainLine(text: string): string {
  return text.replace(hiddenCharacters, ' ').replace(/\s+/g, ' ').trim()
}
