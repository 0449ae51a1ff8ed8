import { isMap, isScalar, isSeq, parseDocument, type Node } from 'yaml'
import type { Steps } from './schema-at.ts'

/** Where something can be written: a field of the mapping at a path, or the value there. */
export interface YamlPlace {
  kind: 'field' | 'value'
  path: Steps
  /** Fields that the mapping has already. */
  taken: readonly string[]
  /** Between brackets, where there are no lines. */
  isFlow: boolean
}

export interface YamlCursor {
  places: YamlPlace[]
  /** What is replaced, as offsets. */
  from: number
  to: number
  /** The name of a field that has its colon already. */
  isNamed: boolean
  /** How far its line is indented beyond its own spaces: by the dashes of a list. */
  dashes: number
}

const marker = 'zzCursorzz'
const longest = 200_000

/** What can be written at an offset, by what the text is when a word stands there. */
export function cursorInYaml(text: string, offset: number): YamlCursor | undefined {
  if (text.length > longest) return undefined
  const lineStart = text.lastIndexOf('\n', offset - 1) + 1
  const [line = ''] = text.slice(lineStart).split('\n', 1)
  const before = line.slice(0, offset - lineStart)
  const [word = ''] = /[^\s,[\]{}"']*$/.exec(before) ?? []
  const [rest = ''] = /^[^\s,[\]{}"':]*/.exec(line.slice(before.length)) ?? []
  if (word === '-' || /(?:^|\s)#/.test(before)) return undefined
  const from = offset - word.length
  const to = offset + rest.length
  const isNamed = text[to] === ':'
  const lead = before.slice(0, before.length - word.length)
  const startsLine = /^\s*(?:-\s+)*$/.test(lead)
  const withWord = (written: string) => findMarker(text.slice(0, from) + written + text.slice(to))
  const field = startsLine && !isNamed ? withWord(`${marker}: 0`) : undefined
  const plain = withWord(marker)
  const places = [
    ...(field?.kind === 'field' ? [field] : []),
    ...(plain && (field === undefined || plain.kind === 'value') ? [plain] : []),
  ]
  return { places, from, to, isNamed, dashes: startsLine ? lead.trimStart().length : 0 }
}

/** The field or value that stands at an offset. */
export function nodeInYaml(text: string, offset: number): { path: Steps; from: number; to: number } | undefined {
  if (text.length > longest) return undefined
  const holds = (node: unknown): node is Node & { range: [number, number, number] } => {
    const [from, to] = (node as Node | null)?.range ?? [1, 0]
    return from <= offset && offset <= to
  }
  function look(node: unknown, path: Steps): { path: Steps; from: number; to: number } | undefined {
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        const inner = [...path, nameOf(key)]
        if (holds(key)) return { path: inner, from: key.range[0], to: key.range[1] }
        const found = look(value, inner)
        if (found) return found
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) {
        const found = look(item, [...path, index])
        if (found) return found
      }
    } else if (isScalar(node) && holds(node)) return { path, from: node.range[0], to: node.range[1] }
    return undefined
  }
  return look(parseDocument(text).contents, [])
}

function findMarker(text: string): YamlPlace | undefined {
  function look(node: unknown, path: Steps, isFlow: boolean): YamlPlace | undefined {
    if (isMap(node)) {
      const names = node.items.map(({ key }) => nameOf(key))
      const inFlow = node.flow === true
      if (names.includes(marker)) return { kind: 'field', path, taken: names, isFlow: inFlow }
      for (const [index, { value }] of node.items.entries()) {
        const found = look(value, [...path, names[index] ?? ''], inFlow)
        if (found) return found
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) {
        const found = look(item, [...path, index], node.flow === true)
        if (found) return found
      }
    } else if (isScalar(node) && node.value === marker) return { kind: 'value', path, taken: [], isFlow }
    return undefined
  }
  return look(parseDocument(text).contents, [], false)
}

const nameOf = (key: unknown): string => (isScalar(key) ? String(key.value) : '')
