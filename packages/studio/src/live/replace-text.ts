import type * as Y from 'yjs'

export interface TextChange {
  at: number
  remove: number
  insert: string
}

/** The one change that makes a text another: what both begin and end with stays, and with it the places of others. */
export function changeBetween(before: string, after: string): TextChange {
  const most = Math.min(before.length, after.length)
  let start = 0
  while (start < most && before.charCodeAt(start) === after.charCodeAt(start)) start++
  let end = 0
  while (
    end < most - start &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end++
  }
  // never between the two halves of a character: a document cannot keep a half
  if (start > 0 && isHighHalf(before.charCodeAt(start - 1))) start--
  if (end > 0 && isLowHalf(before.charCodeAt(before.length - end))) end--
  return { at: start, remove: before.length - start - end, insert: after.slice(start, after.length - end) }
}

/** Makes a text of a document this one, as one change. */
export function replaceText(text: Y.Text, after: string, origin: unknown): void {
  changeText(text, changeBetween(text.toString(), after), origin)
}

export function changeText(text: Y.Text, { at, remove, insert }: TextChange, origin: unknown): void {
  if (remove === 0 && insert === '') return
  text.doc?.transact(() => {
    if (remove > 0) text.delete(at, remove)
    if (insert !== '') text.insert(at, insert)
  }, origin)
}

/** One replacement in a text. */
export interface TextEdit {
  start: number
  end: number
  insert: string
}

/** Makes several replacements that do not overlap, as one change; of each, what stays the same is not touched. */
export function editText(text: Y.Text, edits: readonly TextEdit[], origin: unknown): void {
  const before = text.toString()
  text.doc?.transact(() => {
    for (const { start, end, insert } of edits.toSorted((a, b) => b.start - a.start)) {
      const change = changeBetween(before.slice(start, end), insert)
      if (change.remove > 0) text.delete(start + change.at, change.remove)
      if (change.insert !== '') text.insert(start + change.at, change.insert)
    }
  }, origin)
}

const isHighHalf = (code: number) => code >= 0xd800 && code <= 0xdbff
const isLowHalf = (code: number) => code >= 0xdc00 && code <= 0xdfff
