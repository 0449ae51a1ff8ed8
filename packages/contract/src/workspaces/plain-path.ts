/**
 * Whether a path has a character that none has, at any door: control characters lie in listings, a backslash is a
 * separator to others, and half of a character has no bytes.
 */
export function hasRefusedCharacter(path: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what it looks for
  return /[\\\u0000-\u001f\u007f-\u009f]/.test(path) || !path.isWellFormed()
}

/** Whether a path stays where it is put, however it is spelled. */
export function isPlainPath(path: string): boolean {
  if (hasRefusedCharacter(path) || path.startsWith('/')) return false
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.length <= 255)
}
