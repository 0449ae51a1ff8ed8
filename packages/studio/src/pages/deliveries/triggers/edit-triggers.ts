import { isSeq, parseDocument, type Document } from 'yaml'
import { textOf, writeYaml } from '../../definitions/edit-yaml.ts'

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
