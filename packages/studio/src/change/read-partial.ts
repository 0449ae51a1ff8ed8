/** Arguments that are still being written: what is there of a JSON object; undefined where nothing can be read yet. */
export function readPartial(text: string): unknown {
  const open: string[] = []
  let inString = false
  /** Where the last whole value ended, and what was open there. */
  let whole = { end: 0, open: '' }
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (inString) {
      if (sign === '\\') at++
      else if (sign === '"') inString = false
    } else if (sign === '"') inString = true
    else if (sign === '{') open.unshift('}')
    else if (sign === '[') open.unshift(']')
    else if (sign === '}' || sign === ']') open.shift()
    else if (sign === ',') whole = { end: at, open: open.join('') }
  }
  const closed = open.join('')
  // an escape of which only half is here
  const upToEscape = text.replace(/\\(?:u[\da-fA-F]{0,3})?$/, '')
  return (
    parse((inString ? `${upToEscape}"` : text) + closed) ?? parse(text.slice(0, whole.end) + whole.open) ?? undefined
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
