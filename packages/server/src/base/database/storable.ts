/** A value as PostgreSQL can keep it: no NUL and no half of a surrogate pair in any string, which guests may well print. */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return storableText(value) as T
  if (Array.isArray(value)) return value.map(storable) as T
  if (typeof value !== 'object' || value === null) return value
  // entries and not assignment: "__proto__" is a key like any other
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [storableText(key), storable(one)])) as T
}

function storableText(text: string): string {
  const whole = text.toWellFormed()
  if (!whole.includes('\0')) return whole
  // one by one in place: replaceAll() holds up the server for half a second where a guest printed nothing but NUL
  const units = Buffer.from(whole, 'utf16le')
  for (let at = 0; at < units.length; at += 2) {
    if (units[at] === 0 && units[at + 1] === 0) units.writeUInt16LE(0xfffd, at)
  }
  return units.toString('utf16le')
}

/** The same for a value that may have very many parts: one that is storable as it is comes back without a walk. */
export function storableResult(value: unknown): unknown {
  return isStorable(JSON.stringify(value)) ? value : storable(value)
}

/** A value as JSON that PostgreSQL can keep. */
export function storableJson(value: unknown): string {
  const text = JSON.stringify(value)
  return isStorable(text) ? text : JSON.stringify(storable(JSON.parse(text)))
}

// what cannot be kept is written as an escape: without one, nothing needs to be looked at piece by piece
function isStorable(text: string): boolean {
  return !/\\u(?:0000|d[89a-f])/i.test(text)
}
