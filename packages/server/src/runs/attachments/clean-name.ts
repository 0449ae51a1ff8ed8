import { hiddenCharacters } from '@coherex/contract'

const longestBytes = 120

/** A file name that stays in its folder and shows what it is, whatever name came with the bytes. */
export function cleanName(name: string): string {
  const last = name.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? ''
  // what cannot be seen lies about the kind of a file; what hides a file is no part of its name
  const plain = last
    .replace(hiddenCharacters, '')
    .replace(/[\uFFFD:*?"<>|]/g, '_')
    .trim()
    .replace(/^[.\s]+/, '')
  const dot = plain.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [plain.slice(0, dot), plain.slice(dot)] : [plain, '']
  return `${cut(stem, longestBytes - Buffer.byteLength(cut(extension, 20)))}${cut(extension, 20)}` || 'file'
}

/** The name, or the same with a number, that none of these has; the case of letters makes no difference on many disks. */
export function freeName(name: string, taken: readonly string[]): string {
  const used = new Set(taken.map((one) => one.toLowerCase()))
  const dot = name.lastIndexOf('.')
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${stem}-${number}${extension}`
    if (!used.has(free.toLowerCase())) return free
  }
}

/** Whole characters of a text within so many bytes. */
function cut(text: string, bytes: number): string {
  let kept = ''
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) break
    kept += character
  }
  return kept
}
