// controls, invisible format characters (bidi, zero width, tags), spaces that are none, fillers and variation selectors
const hidden =
  /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u00A0\u2000-\u200A\u202F\u205F\u3000]/gu

/** Arguments as an approver reads them: one line for each field, and nothing in them is invisible. */
export function showInput(input: unknown): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return showText(toText(input))
  return Object.entries(input)
    .map(([name, value]) => `${showText(name)}: ${showText(toText(value))}`)
    .join('\n')
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
}

/** Line ends stay, because code has many; whatever else cannot be seen stands as its number. */
function showText(text: string): string {
  return text.replace(hidden, (character) => {
    if (character === '\n') return '\n  '
    const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    return `<U+${number}>`
  })
}
