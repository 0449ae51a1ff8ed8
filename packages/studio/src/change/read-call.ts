import { languageOfPath } from './language-of-path.ts'

/** What a call was given, sorted by how people read it. */
export interface ReadCall {
  /** The program, command, text or definition that it is about. */
  code?: { text: string; language: string; title?: string }
  /** A piece of a file that takes the place of another. */
  edit?: { path: string; search: string; replace: string }
  /** Everything else, by name. */
  fields: [name: string, value: unknown][]
}

/** Sorts the arguments of a call. All of them are in what it answers. */
export function readCall(tool: string, input: unknown): ReadCall {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { fields: input === undefined || input === null ? [] : [['input', input]] }
  }
  const fields = input as Record<string, unknown>
  const { path, content, search, replace, code, language, command, source } = fields
  if (tool === 'edit_file' && isText(path) && isText(search) && isText(replace)) {
    return { edit: { path, search, replace }, fields: without(fields, 'path', 'search', 'replace') }
  }
  if (isText(content) && isText(path)) {
    const shown = { text: content, language: languageOfPath(path), title: path }
    return { code: shown, fields: without(fields, 'path', 'content') }
  }
  if (isText(code)) {
    // what writes programs that call tools has one language
    const shown = { text: code, language: isText(language) ? language : 'javascript' }
    return { code: shown, fields: without(fields, 'code') }
  }
  if (isText(command)) return { code: { text: command, language: 'bash' }, fields: without(fields, 'command') }
  if (isText(source)) return { code: { text: source, language: 'yaml' }, fields: without(fields, 'source') }
  return { fields: Object.entries(fields) }
}

/** The unified diff of a piece of text; where in the file it stands is unknown. */
export function diffOfEdit({ path, search, replace }: NonNullable<ReadCall['edit']>): string {
  const [old, now] = [search.split('\n'), replace.split('\n')]
  let head = 0
  while (head < old.length && head < now.length && old[head] === now[head]) head++
  let tail = 0
  while (tail < Math.min(old.length, now.length) - head && old.at(-1 - tail) === now.at(-1 - tail)) tail++
  const lines = [
    ...old.slice(0, head).map((line) => ` ${line}`),
    ...old.slice(head, old.length - tail).map((line) => `-${line}`),
    ...now.slice(head, now.length - tail).map((line) => `+${line}`),
    ...old.slice(old.length - tail).map((line) => ` ${line}`),
  ]
  return `--- a/${path}\n+++ b/${path}\n@@ -1,${old.length} +1,${now.length} @@\n${lines.join('\n')}\n`
}

const isText = (value: unknown): value is string => typeof value === 'string'

function without(fields: Record<string, unknown>, ...names: string[]): [string, unknown][] {
  return Object.entries(fields).filter(([name]) => !names.includes(name))
}
