import type { PackageLanguage } from '@coherex/contract'
import { isMap, isSeq, parseDocument, type Document } from 'yaml'
import { textOf, writeYaml } from '../definitions/edit-yaml.ts'

/** What the form shows of a definition. */
export interface FormFields {
  description: string
  instructions: string
  model: string
  limits: Partial<Record<LimitName, string>>
  packages: string[]
}

export type LimitName = 'steps' | 'costUsd' | 'time'

/** The fields of a definition; undefined where the text cannot be read. */
export function readFields(source: string): FormFields | undefined {
  const document = parseDocument(source)
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined
  const { description, instructions, model, limits, packages } = document.toJS() as Record<string, unknown>
  return {
    description: textOf(description),
    // a block of text ends with a line break that nobody typed
    instructions: textOf(instructions).replace(/\n$/, ''),
    model: textOf(model),
    packages: Array.isArray(packages) ? packages.map(String) : [],
    limits: Object.fromEntries(
      Object.entries(typeof limits === 'object' && limits !== null ? limits : {}).map(([name, one]) => [
        name,
        textOf(one),
      ]),
    ),
  }
}

/** The definition with other packages of one language; those of npm have `npm:` before their names. */
export function setPackages(source: string, language: PackageLanguage, chosen: readonly string[]): string {
  const all = byLanguage(readFields(source)?.packages ?? [])
  all[language] = chosen
  const packages = [...all.python, ...all.javascript.map((one) => `npm:${one}`)]
  const document = parseDocument(source)
  if (packages.length === 0) document.delete('packages')
  else document.set('packages', document.createNode(packages))
  return writeYaml(document, source)
}

export function byLanguage(packages: readonly string[]): Record<PackageLanguage, readonly string[]> {
  const isNpm = (one: string) => one.startsWith('npm:')
  return {
    python: packages.filter((one) => !isNpm(one)),
    javascript: packages.filter(isNpm).map((one) => one.slice('npm:'.length)),
  }
}

/** The definition with a trigger more, after those it has. */
export function addTrigger(source: string, trigger: object): string {
  const document = parseDocument(source)
  const triggers = document.get('triggers')
  if (isSeq(triggers)) triggers.add(document.createNode(trigger))
  else document.set('triggers', document.createNode([trigger]))
  return writeYaml(document, source)
}

export type TriggerEntry = Record<string, unknown>

/** The trigger as the definition says it; undefined where the definition has it no more. */
export function readTrigger(source: string, name: string): TriggerEntry | undefined {
  return entriesOf(parseDocument(source)).find((entry) => entry.name === name)?.definition
}

/** The definition with another trigger in the place of this one, or without it. */
export function changeTrigger(source: string, name: string, trigger: TriggerEntry | undefined): string {
  const document = parseDocument(source)
  const at = entriesOf(document).findIndex((entry) => entry.name === name)
  if (at < 0) throw new Error(`The definition has no trigger "${name}"`)
  if (trigger) document.setIn(['triggers', at], document.createNode(trigger))
  else document.deleteIn(['triggers', at])
  const left = document.get('triggers')
  if (isSeq(left) && left.items.length === 0) document.delete('triggers')
  return writeYaml(document, source)
}

/** Those without a name are called by their kind and number, as the server calls them. */
function entriesOf(document: Document): { name: string; definition: TriggerEntry }[] {
  const { triggers } = (document.toJS() ?? {}) as { triggers?: unknown }
  if (document.errors.length > 0 || !Array.isArray(triggers)) return []
  const counts: Record<string, number> = {}
  return (triggers as TriggerEntry[]).map((definition) => {
    const kind = ['schedule', 'webhook'].find((one) => one in definition) ?? 'event'
    counts[kind] = (counts[kind] ?? 0) + 1
    return { name: textOf(definition['name']) || `${kind}-${counts[kind]}`, definition }
  })
}
