import type { TextEdit } from '../../../live/replace-text.ts'

/** A value of a JSON text with its place: what is not changed stays as its author wrote it. */
export type JsonNode = { start: number; end: number } & (
  | { kind: 'object'; members: JsonMember[] }
  | { kind: 'array'; items: JsonNode[] }
  | { kind: 'scalar'; value: string | number | boolean | null }
)
export type JsonObject = Extract<JsonNode, { kind: 'object' }>

export interface JsonMember {
  key: string
  /** Where the key begins. */
  start: number
  value: JsonNode
}

const deepest = 200
const space = /[ \t\n\r]*/y
const scalar = /"(?:[^"\\\u0000-\u001F]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Reads a JSON text with the places of its values; throws a SyntaxError that says the line. */
export function parseJsonText(text: string): JsonNode {
  let at = 0
  const fail = (): never => {
    throw new SyntaxError(`Line ${text.slice(0, at).split('\n').length} is not JSON`)
  }
  const skip = () => {
    space.lastIndex = at
    space.test(text)
    at = space.lastIndex
  }
  const take = (sign: string) => {
    skip()
    if (text[at] !== sign) return false
    at++
    return true
  }
  function readScalar(): Extract<JsonNode, { kind: 'scalar' }> {
    skip()
    scalar.lastIndex = at
    const found = scalar.exec(text)?.[0]
    if (found === undefined) return fail()
    const start = at
    try {
      const value = JSON.parse(found) as string | number | boolean | null
      at += found.length
      return { kind: 'scalar', start, end: at, value }
    } catch {
      return fail()
    }
  }
  function readValue(depth: number): JsonNode {
    skip()
    const start = at
    if (depth > deepest) return fail()
    if (take('{')) {
      const members: JsonMember[] = []
      if (!take('}')) {
        do {
          const key = readScalar()
          if (typeof key.value !== 'string' || !take(':')) return fail()
          members.push({ key: key.value, start: key.start, value: readValue(depth + 1) })
        } while (take(','))
        if (!take('}')) return fail()
      }
      return { kind: 'object', start, end: at, members }
    }
    if (take('[')) {
      const items: JsonNode[] = []
      if (!take(']')) {
        do items.push(readValue(depth + 1))
        while (take(','))
        if (!take(']')) return fail()
      }
      return { kind: 'array', start, end: at, items }
    }
    return readScalar()
  }
  const root = readValue(0)
  skip()
  return at === text.length ? root : fail()
}

export function valueOf(node: JsonNode | undefined): unknown {
  if (!node) return undefined
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'array') return node.items.map(valueOf)
  return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOf(value)]))
}

export function memberOf(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.kind === 'object' ? node.members.find((member) => member.key === key) : undefined
}

/** How a text is laid out: what one level is indented by, or undefined where all is on one line. */
export interface JsonLayout {
  unit: string | undefined
  lineEnd: string
}

export function layoutOf(text: string): JsonLayout {
  const [, lineEnd = '\n', unit] = /^\s*[{[][ \t]*(\r?\n)([ \t]+)/.exec(text) ?? []
  return { unit, lineEnd }
}

/** A value as it stands in a text, after a line that is indented so. */
export function printJson(value: unknown, { unit, lineEnd }: JsonLayout, indent: string): string {
  if (unit === undefined) return JSON.stringify(value)
  return JSON.stringify(value, null, unit).replaceAll('\n', lineEnd + indent)
}

/** What the line of a place begins with. */
function indentAt(text: string, place: number): string {
  const from = text.lastIndexOf('\n', place - 1) + 1
  return /^[ \t]*/.exec(text.slice(from, place))?.[0] ?? ''
}

/** Sets a member of an object. A new one stands where its name belongs if the names are in order, as Jupyter writes them. */
export function setMember(text: string, object: JsonObject, key: string, value: unknown): TextEdit {
  const layout = layoutOf(text)
  const known = memberOf(object, key)
  if (known) {
    const { start, end } = known.value
    return { start, end, insert: printJson(value, layout, indentAt(text, known.start)) }
  }
  const keys = object.members.map((member) => member.key)
  const isSorted = keys.every((one, at) => at === 0 || (keys[at - 1] ?? '') <= one)
  const next = isSorted ? object.members.findIndex((member) => member.key > key) : -1
  const items = object.members.map((member) => ({ start: member.start, end: member.value.end }))
  const at = next < 0 ? items.length : next
  return insertAt(
    text,
    { ...object, items },
    at,
    (indent) => `${JSON.stringify(key)}: ${printJson(value, layout, indent)}`,
  )
}

export function removeMember(object: JsonObject, key: string): TextEdit[] {
  const at = object.members.findIndex((member) => member.key === key)
  const items = object.members.map((member) => ({ start: member.start, end: member.value.end }))
  return at < 0 ? [] : [removeAt({ ...object, items }, at)]
}

interface Listed {
  start: number
  end: number
  items: readonly { start: number; end: number }[]
}

/** Puts one more into a list or an object, laid out as the others are. */
export function insertAt(text: string, list: Listed, at: number, print: (indent: string) => string): TextEdit {
  const { unit, lineEnd } = layoutOf(text)
  const { items } = list
  const outer = indentAt(text, list.start)
  const indent = items[0] ? indentAt(text, items[0].start) : outer + (unit ?? '')
  const line = unit === undefined ? '' : lineEnd + indent
  const before = items[at - 1]
  if (before) return { start: before.end, end: before.end, insert: `,${line || ' '}${print(indent)}` }
  const [first] = items
  if (first) return { start: first.start, end: first.start, insert: `${print(indent)},${line || ' '}` }
  const close = unit === undefined ? '' : lineEnd + outer
  return { start: list.start + 1, end: list.end - 1, insert: `${line}${print(indent)}${close}` }
}

/** Takes one out of a list or an object, with the comma beside it. */
export function removeAt({ start, end, items }: Listed, at: number): TextEdit {
  const [before, it, after] = [items[at - 1], items[at], items[at + 1]]
  if (!it) throw new RangeError(`There is no item ${at}`)
  if (before) return { start: before.end, end: it.end, insert: '' }
  if (after) return { start: it.start, end: after.start, insert: '' }
  return { start: start + 1, end: end - 1, insert: '' }
}

/** A text after edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((all, { start, end, insert }) => all.slice(0, start) + insert + all.slice(end), text)
}
