import { diffChars, diffLines } from 'diff'
import type * as Y from 'yjs'

/** `remove` characters at `at` of the old text become `insert`. Edits are in order and do not overlap. */
export interface TextEdit {
  at: number
  remove: number
  insert: string
}

// beyond these the texts have little in common: one large edit is as good, and found at once
const mostLines = 2000
const mostCharacters = 400
// everyone waits meanwhile: for the lines, and for the characters within all of them
const linesMs = 50
const totalMs = 100

/** The small edits that turn one text into another: by lines, and within changed lines by characters. */
export function diffText(before: string, after: string): TextEdit[] {
  if (before === after) return []
  const start = commonStart(before, after)
  const end = commonEnd(before, after, start)
  const oldMiddle = before.slice(start, before.length - end)
  const newMiddle = after.slice(start, after.length - end)
  const edits = byLines(oldMiddle, newMiddle, performance.now() + totalMs)
  return edits.map((edit) => ({ ...edit, at: edit.at + start }))
}

/** Makes the edits in a text of a document. From the end, so that none moves another. */
export function applyEdits(text: Y.Text, edits: TextEdit[]): void {
  for (const { at, remove, insert } of edits.toReversed()) {
    if (remove > 0) text.delete(at, remove)
    if (insert.length > 0) text.insert(at, insert)
  }
}

function byLines(before: string, after: string, until: number): TextEdit[] {
  if (before.length === 0 || after.length === 0) return [{ at: 0, remove: before.length, insert: after }]
  const parts = diffLines(before, after, { maxEditLength: mostLines, timeout: linesMs })
  if (!parts) return [{ at: 0, remove: before.length, insert: after }]
  const edits: TextEdit[] = []
  let at = 0
  let removed = ''
  let added = ''
  const flush = () => {
    if (removed || added)
      edits.push(...byCharacters(removed, added, until).map((edit) => ({ ...edit, at: edit.at + at })))
    at += removed.length
    removed = ''
    added = ''
  }
  for (const part of parts) {
    if (part.removed) removed += part.value
    else if (part.added) added += part.value
    else {
      flush()
      at += part.value.length
    }
  }
  flush()
  return edits
}

function byCharacters(before: string, after: string, until: number): TextEdit[] {
  const start = commonStart(before, after)
  const end = commonEnd(before, after, start)
  const oldMiddle = before.slice(start, before.length - end)
  const newMiddle = after.slice(start, after.length - end)
  const whole = [{ at: start, remove: oldMiddle.length, insert: newMiddle }]
  const leftMs = until - performance.now()
  if (oldMiddle.length === 0 || newMiddle.length === 0 || leftMs <= 0) return whole
  const parts = diffChars(oldMiddle, newMiddle, { maxEditLength: mostCharacters, timeout: leftMs })
  if (!parts) return whole
  const edits: TextEdit[] = []
  let at = start
  for (const part of parts) {
    const last = edits.at(-1)
    // a removal and the insertion beside it are one edit
    const joins = last && last.at + last.remove === at
    if (part.removed) {
      if (joins) last.remove += part.value.length
      else edits.push({ at, remove: part.value.length, insert: '' })
      at += part.value.length
    } else if (part.added) {
      if (joins) last.insert += part.value
      else edits.push({ at, remove: 0, insert: part.value })
    } else at += part.value.length
  }
  return edits
}

/** Never between the two halves of a character: a document cannot keep a half. */
function commonStart(a: string, b: string): number {
  const most = Math.min(a.length, b.length)
  let length = 0
  while (length < most && a.charCodeAt(length) === b.charCodeAt(length)) length++
  return length > 0 && isHighHalf(a.charCodeAt(length - 1)) ? length - 1 : length
}

function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start
  let length = 0
  while (length < most && a.charCodeAt(a.length - 1 - length) === b.charCodeAt(b.length - 1 - length)) length++
  return length > 0 && isLowHalf(a.charCodeAt(a.length - length)) ? length - 1 : length
}

function isHighHalf(code: number): boolean {
  return code >= 0xd800 && code <= 0xdbff
}

function isLowHalf(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
