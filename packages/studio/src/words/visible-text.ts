import { hiddenCharacters } from '@coherex/contract'

/** What cannot be seen stands as an escape, and lines stay lines. */
export function visibleText(text: string): string {
  return text.replace(hiddenCharacters, (character) => (character === '\n' ? '\n' : toEscape(character)))
}

/** As JSON has it: beyond the first plane an escape for each of the two halves. */
function toEscape(character: string): string {
  return Array.from({ length: character.length }, (_, index) => {
    const number = character.charCodeAt(index).toString(16).padStart(4, '0')
    return `\\u${number}`
  }).join('')
}
