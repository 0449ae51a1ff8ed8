import { isMap, isSeq, parseDocument } from 'yaml'
import { textOf, writeYaml } from '../definitions/edit-yaml.ts'

/** What the form shows of a definition. */
export interface FormFields {
  description: string
  instructions: string
  model: string
  limits: Partial<Record<LimitName, string>>
}

export type LimitName = 'steps' | 'costUsd' | 'time'

/** The fields of a definition; undefined where the text cannot be read. */
export function readFields(source: string): FormFields | undefined {
  const document = parseDocument(source)
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined
  const { description, instructions, model, limits } = document.toJS() as Record<string, unknown>
  return {
    description: textOf(description),
    // a block of text ends with a line break that nobody typed
    instructions: textOf(instructions).replace(/\n$/, ''),
    model: textOf(model),
    limits: Object.fromEntries(
      Object.entries(typeof limits === 'object' && limits !== null ? limits : {}).map(([name, one]) => [
        name,
        textOf(one),
      ]),
    ),
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
