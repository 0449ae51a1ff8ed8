// as the server's `shownInput` has it: controls, invisible format characters, spaces that are none, fillers
const hidden =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00A0\u2000-\u200A\u202F\u205F\u3000]/gu

/** What cannot be seen stands as an escape, and lines stay lines. */
export function visibleText(text: string): string {
  return text.replace(hidden, (character) => (character === '\n' ? '\n' : toEscape(character)))
}

/** As JSON has it: beyond the first plane an escape for each of the two halves. */
function toEscape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const number = character.charCodeAt(index).toString(16).padStart(4, '0')
    return `\\u${number}`
  }).join('')
}
