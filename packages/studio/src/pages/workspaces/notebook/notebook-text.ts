import type { NotebookOutput } from '@coherex/contract'
import type { TextEdit } from '../../../live/replace-text.ts'
import {
  applyEdits,
  insertAt,
  layoutOf,
  memberOf,
  parseJsonText,
  printJson,
  removeAt,
  removeMember,
  setMember,
  valueOf,
  type JsonNode,
  type JsonObject,
} from './json-text.ts'

export type CellKind = 'code' | 'markdown' | 'raw'

/** A cell of a notebook, as it is in the text of its file. */
export interface TextCell {
  /** Its id, or its number where it has none of its own. */
  key: string
  kind: CellKind
  source: string
  outputs: unknown[]
  count: number | null
  /** As VS Code notes it, where it is another than the notebook's. */
  languageId: string | undefined
  title: string | undefined
  node: JsonObject
}

export interface NotebookText {
  text: string
  /** The name of its language, as Jupyter and others write it. */
  languageName: string
  minor: number
  cells: TextCell[]
  list: Extract<JsonNode, { kind: 'array' }>
}

/** Reads the text of an `.ipynb` file; answers a sentence where it is none of nbformat 4. */
export function readNotebook(text: string): NotebookText | string {
  let root: JsonNode
  try {
    root = parseJsonText(text)
  } catch (error) {
    return `This is no notebook yet: ${(error as Error).message.replace(/^L/, 'l')}.`
  }
  const format = valueOf(memberOf(root, 'nbformat')?.value)
  const list = memberOf(root, 'cells')?.value
  if (typeof format === 'number' && format !== 4) {
    return `This notebook has format ${format}. Only format 4 opens here: convert it with "jupyter nbconvert --to notebook".`
  }
  if (format !== 4 || list?.kind !== 'array') return 'This is no notebook: it has no "nbformat" of 4 with "cells".'
  const minor = Number(valueOf(memberOf(root, 'nbformat_minor')?.value) ?? 0)
  const cells = list.items.map((node, at) => readCell(node, at))
  const wrong = cells.findIndex((cell) => cell === undefined)
  if (wrong >= 0) return `Cell ${wrong + 1} of this notebook is neither code, Markdown nor raw text.`
  const known = cells.flatMap((cell) => cell ?? [])
  const keys = new Set<string>()
  for (const [at, cell] of known.entries()) {
    // a copy has the id of the first
    if (keys.has(cell.key)) cell.key = `#${at}`
    keys.add(cell.key)
  }
  return { text, minor, cells: known, list, languageName: languageNameOf(memberOf(root, 'metadata')?.value) }
}

function readCell(node: JsonNode, at: number): TextCell | undefined {
  const kind = valueOf(memberOf(node, 'cell_type')?.value)
  if (node.kind !== 'object' || (kind !== 'code' && kind !== 'markdown' && kind !== 'raw')) return undefined
  const id = valueOf(memberOf(node, 'id')?.value)
  const outputs = valueOf(memberOf(node, 'outputs')?.value)
  const count = valueOf(memberOf(node, 'execution_count')?.value)
  const title = valueOf(memberOf(memberOf(node, 'metadata')?.value, 'title')?.value)
  const languageId = valueOf(
    memberOf(memberOf(memberOf(node, 'metadata')?.value, 'vscode')?.value, 'languageId')?.value,
  )
  return {
    key: typeof id === 'string' && id !== '' ? id : `#${at}`,
    kind,
    source: textOf(valueOf(memberOf(node, 'source')?.value)),
    outputs: Array.isArray(outputs) ? outputs : [],
    count: typeof count === 'number' ? count : null,
    languageId: typeof languageId === 'string' ? languageId : undefined,
    title: typeof title === 'string' ? title : undefined,
    node,
  }
}

function languageNameOf(metadata: JsonNode | undefined): string {
  const info = valueOf(memberOf(memberOf(metadata, 'language_info')?.value, 'name')?.value)
  const kernel = memberOf(metadata, 'kernelspec')?.value
  const named = info ?? valueOf(memberOf(kernel, 'language')?.value) ?? valueOf(memberOf(kernel, 'name')?.value)
  return typeof named === 'string' ? named : 'python'
}

/** Jupyter writes a text as one, or as its lines. */
function textOf(value: unknown): string {
  return Array.isArray(value) ? value.join('') : typeof value === 'string' ? value : ''
}

function linesOf(text: string): string[] {
  return text === '' ? [] : text.split(/(?<=\n)/)
}

/** The edit that gives a cell another source, in the form that it has: as lines, or as one text. */
export function editSource({ text }: NotebookText, { node }: TextCell, source: string): TextEdit[] {
  const known = memberOf(node, 'source')?.value
  const isText = known?.kind === 'scalar'
  return [setMember(text, node, 'source', isText ? source : linesOf(source))]
}

/** The edits that put what came of a cell into it. */
export function editOutputs(
  { text }: NotebookText,
  { node, count: before }: TextCell,
  outputs: readonly NotebookOutput[],
  count: number | null,
): TextEdit[] {
  const counted =
    before === count && memberOf(node, 'execution_count') ? [] : [setMember(text, node, 'execution_count', count)]
  return [...counted, setMember(text, node, 'outputs', outputs.map(asLines))]
}

/** As Jupyter writes them: texts of several lines as a list of these. */
function asLines(output: NotebookOutput): object {
  if (output.output_type === 'stream') return { name: output.name, output_type: 'stream', text: linesOf(output.text) }
  if (output.output_type === 'error') return output
  const data = Object.entries(output.data).map(([mime, value]) => {
    const isText = typeof value === 'string' && (mime.startsWith('text/') || mime === 'image/svg+xml')
    return [mime, isText ? linesOf(value) : value]
  })
  const rest = { data: Object.fromEntries(data) as object, metadata: output.metadata }
  if (output.output_type === 'display_data') return { ...rest, output_type: 'display_data' }
  return { ...rest, execution_count: output.execution_count, output_type: 'execute_result' }
}

export interface NewCell {
  kind: CellKind
  source: string
}

/** A cell as nbformat wants it, its names in order as Jupyter writes them. */
export function newCell({ kind, source }: NewCell, minor: number): object {
  return {
    cell_type: kind,
    ...(kind === 'code' ? { execution_count: null } : {}),
    // before 4.5 a cell must not have one
    ...(minor >= 5 ? { id: newId() } : {}),
    metadata: {},
    ...(kind === 'code' ? { outputs: [] } : {}),
    source: linesOf(source),
  }
}

function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(4)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}

export function insertCell({ text, list, minor }: NotebookText, at: number, cell: NewCell): TextEdit[] {
  const layout = layoutOf(text)
  return [insertAt(text, list, at, (indent) => printJson(newCell(cell, minor), layout, indent))]
}

/** Puts a cell back that was taken out, as it was written. */
export function insertRaw({ text, list }: NotebookText, at: number, raw: string): TextEdit[] {
  return [insertAt(text, list, Math.min(at, list.items.length), () => raw)]
}

export function rawOf({ text }: NotebookText, { node }: TextCell): string {
  return text.slice(node.start, node.end)
}

export function removeCell({ list }: NotebookText, at: number): TextEdit[] {
  return [removeAt(list, at)]
}

/** Moves a cell to where another stands now. */
export function moveCell(notebook: NotebookText, from: number, to: number): TextEdit[] {
  const cell = notebook.cells[from]
  if (!cell || to === from || to < 0 || to >= notebook.cells.length) return []
  const { text, list } = notebook
  const raw = rawOf(notebook, cell)
  return [removeAt(list, from), insertAt(text, list, to > from ? to + 1 : to, () => raw)]
}

/** Makes a cell one of another kind, with what nbformat wants of it and without what it forbids. */
export function editKind(notebook: NotebookText, cell: TextCell, kind: CellKind): TextEdit[] {
  if (cell.kind === kind) return []
  // each edit is of the text that the last one left
  const steps: Step[] = [
    (object, text) => [setMember(text, object, 'cell_type', kind)],
    ...(kind === 'code' ? toCode : fromCode),
  ]
  const made = steps.reduce(
    (text, step) => {
      const object = parseJsonText(text)
      return object.kind === 'object' ? applyEdits(text, step(object, text)) : text
    },
    rawOf(notebook, cell),
  )
  return [{ start: cell.node.start, end: cell.node.end, insert: made }]
}

type Step = (object: JsonObject, text: string) => TextEdit[]
const toCode: Step[] = [
  (object) => removeMember(object, 'attachments'),
  (object, text) => [setMember(text, object, 'execution_count', null)],
  (object, text) => [setMember(text, object, 'outputs', [])],
]
const fromCode: Step[] = [
  (object) => removeMember(object, 'execution_count'),
  (object) => removeMember(object, 'outputs'),
]
