interface Place {
  line: number
  character: number
}

/** What to replace to make one text of another, as the Language Server Protocol has it: lines and characters from 0, in UTF-16 units. */
export function changeOfText(before: string, after: string): { range: { start: Place; end: Place }; text: string } {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === after.charCodeAt(start)) start++
  // between the two of a line's end there is no place, and half a character is no text
  while (start > 0 && (isInLineEnd(before, start) || isInLineEnd(after, start) || isHalf(before, start))) start--
  let end = 0
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  )
    end++
  while (
    end > 0 &&
    [before, after].some((text) => isInLineEnd(text, text.length - end) || isHalf(text, text.length - end))
  )
    end--
  return {
    range: { start: placeAt(before, start), end: placeAt(before, before.length - end) },
    text: after.slice(start, after.length - end),
  }
}

function placeAt(text: string, at: number): Place {
  let line = 0
  let begin = 0
  for (let index = 0; index < at; index++) {
    const code = text.charCodeAt(index)
    if (code !== 10 && code !== 13) continue
    if (code === 13 && text.charCodeAt(index + 1) === 10) index++
    line++
    begin = index + 1
  }
  return { line, character: at - begin }
}

function isInLineEnd(text: string, at: number): boolean {
  return text.charCodeAt(at - 1) === 13 && text.charCodeAt(at) === 10
}

function isHalf(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff
}
