// controls, invisible format characters (bidi, zero width, tags), spaces that are none, fillers and variation selectors
const hidden =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00A0\u2000-\u200A\u202F\u205F\u3000]/gu

/** Text in which nothing is invisible: whatever cannot be seen stands as its number. Line ends stay, and tabs if told so. */
export function showHidden(text: string, { keepsTabs = false }: { keepsTabs?: boolean } = {}): string {
  return text.replace(hidden, (character) => {
    if (character === '\n' || (keepsTabs && character === '\t')) return character
    const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `<U+${number}>`
  })
}

/** Whether something in a text cannot be seen. What makes emoji out of signs is seen. */
export function hasHidden(text: string): boolean {
  return text.replace(/[\uFE0F\u200D\s]/g, '').search(hidden) >= 0
}

/** One line without what cannot be seen, for a list that a model reads. */
export function toPlainLine(text: string): string {
  return text.replace(hidden, ' ').replace(/\s+/g, ' ').trim()
}
