import type { PackageLanguage } from '@coherex/contract'
import { isMap, parseDocument } from 'yaml'
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
