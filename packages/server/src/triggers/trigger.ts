import type { Signature, ToolTrigger, TriggerDefinition, TriggerKind } from '@coherex/contract'

/** The shortest look at what the clock says: passed in, so that tests can set it. */
export type Clock = () => number

type Definition = TriggerDefinition | ToolTrigger

export interface NamedTrigger {
  name: string
  kind: TriggerKind
  definition: Definition
}

/** Each trigger of a definition with the name it is known by from version to version: its own, or its kind and number. */
export function nameTriggers(triggers: readonly Definition[] = []): NamedTrigger[] {
  const counts = new Map<TriggerKind, number>()
  return triggers.map((definition) => {
    const kind = kindOf(definition)
    const number = (counts.get(kind) ?? 0) + 1
    counts.set(kind, number)
    return { name: definition.name ?? `${kind}-${number}`, kind, definition }
  })
}

function kindOf(definition: Definition): TriggerKind {
  if ('schedule' in definition) return 'schedule'
  return 'webhook' in definition ? 'webhook' : 'event'
}

export function signatureOf(definition: Definition): Signature {
  return ('webhook' in definition && definition.webhook.signature) || 'standard'
}

/** Whether an address and its secrets can stay: another way of signing takes other secrets. */
export function isSameTrigger(before: Definition, after: Definition): boolean {
  return kindOf(before) === kindOf(after) && signatureOf(before) === signatureOf(after)
}

/** Whether it has to be looked at anew from now on. */
export function isSameOccasion(before: Definition, after: Definition): boolean {
  return occasionOf(before) === occasionOf(after)
}

function occasionOf(definition: Definition): string {
  if ('schedule' in definition) return JSON.stringify([definition.schedule, definition.timezone])
  if ('event' in definition) return JSON.stringify([definition.event, definition.workspace])
  return ''
}
