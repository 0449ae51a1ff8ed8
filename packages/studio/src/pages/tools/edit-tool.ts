import type { ToolTest } from '@coherex/contract'
import { isMap, isSeq, parseDocument } from 'yaml'
import { textOf, writeYaml } from '../definitions/edit-yaml.ts'
import type { Schema } from './schema/edit-schema.ts'

/** What the form shows of a tool.yaml. */
export interface ToolFields {
  description: string
  entry: string
  language: string
  licence: string
  tags: string
  packages: string[]
  variables: string
  timeoutMs: string
  memoryMb: string
}

/** The fields of a tool.yaml; undefined where the text cannot be read. */
export function readToolFields(source: string): ToolFields | undefined {
  const document = parseDocument(source)
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined
  const fields = document.toJS() as Record<string, unknown>
  const limits = (fields['limits'] ?? {}) as Record<string, unknown>
  return {
    description: textOf(fields['description']).replace(/\n$/, ''),
    entry: textOf(fields['entry']),
    language: textOf(fields['language']),
    licence: textOf(fields['licence']),
    tags: linesOf(fields['tags']).join(', '),
    packages: linesOf(fields['packages']),
    variables: linesOf(fields['variables']).join(', '),
    timeoutMs: textOf(limits['timeoutMs']),
    memoryMb: textOf(limits['memoryMb']),
  }
}

const linesOf = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : [])

/** The schema that a tool.yaml has; `code` where the code says it, undefined where the text cannot be read. */
export function readSchema(source: string, side: 'input' | 'output'): 'code' | Schema | boolean | undefined {
  const document = parseDocument(source)
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined
  const { [side]: value = 'code' } = document.toJS() as Record<string, 'code' | Schema | boolean | undefined>
  return value
}

/** The tool.yaml with another value of a field, of whatever kind; undefined takes it away. */
export function setValue(source: string, field: string, value: unknown): string {
  const document = parseDocument(source)
  if (value === undefined) document.delete(field)
  else document.set(field, document.createNode(value))
  return writeYaml(document, source)
}

/** The tool.yaml with words between commas or lines as a list. */
export function setWords(source: string, field: string, typed: string): string {
  const words = typed
    .split(/[,\n]/)
    .map((word) => word.trim())
    .filter(Boolean)
  return setValue(source, field, words.length > 0 ? words : undefined)
}

/** The tool.yaml with one test more, under a name that none of the others has. */
export function addTest(source: string, test: ToolTest): string {
  const document = parseDocument(source)
  const tests = document.get('tests')
  const taken = new Set(isSeq(tests) ? (tests.toJSON() as { name?: unknown }[]).map((one) => one?.name) : [])
  let name = test.name
  for (let number = 2; taken.has(name); number++) name = `${test.name} ${number}`
  const node = document.createNode({ ...test, name })
  if (isSeq(tests)) tests.add(node)
  else document.set('tests', document.createNode([node]))
  return writeYaml(document, source)
}

/** The tool.yaml without one of its tests. */
export function removeTest(source: string, name: string): string {
  const document = parseDocument(source)
  const tests = document.get('tests')
  if (!isSeq(tests)) return source
  const at = (tests.toJSON() as { name?: unknown }[]).findIndex((one) => one?.name === name)
  if (at >= 0) tests.delete(at)
  if (tests.items.length === 0) document.delete('tests')
  return writeYaml(document, source)
}
