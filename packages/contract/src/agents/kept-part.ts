import { z } from 'zod'
import { findUnstorable, text, unstorable } from '../wire/text.ts'

const words = z.looseObject({ text: text() })

const file = z.looseObject({
  mediaType: text().max(200),
  filename: text().max(255).optional(),
  // whoever reads on, a browser or a model's server, would ask an address for it
  url: text().regex(/^data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/]*={0,2}$/, 'must be a data URL, not an address'),
})

const call = z.looseObject({ toolCallId: text().min(1), approval: z.looseObject({ id: text() }).optional() })

const calls: Record<string, z.ZodType> = {
  'input-streaming': call,
  'input-available': call,
  'approval-requested': call,
  'approval-responded': call,
  'output-available': call.extend({
    output: z.looseObject({
      text: text(),
      displays: z.array(z.looseObject({})).optional(),
      runId: text().optional(),
    }),
  }),
  'output-error': call.extend({ errorText: text() }),
  'output-denied': call.required({ approval: true }),
}

const anyCall = z.looseObject({ state: z.enum(Object.keys(calls)) })
const anything = z.looseObject({})
const nothing = z.never('there is no such kind of part')

function schemaOf({ type, state }: { type: string; state?: unknown }): z.ZodType {
  if (type === 'text' || type === 'reasoning') return words
  if (type === 'file' || type === 'reasoning-file') return file
  if (type.startsWith('tool-') || type === 'dynamic-tool') return calls[String(state)] ?? anyCall
  return /^(?:step-start|source-url|source-document|data-.+)$/.test(type) ? anything : nothing
}

/** A part of a message that comes from a file: what people and models will read of it has the form they rely on. */
export const keptPart = z.looseObject({ type: text().max(100) }).superRefine((part, context) => {
  const odd = findUnstorable(part)
  if (odd) return context.addIssue({ code: 'custom', path: odd, message: unstorable })
  const { error } = schemaOf(part).safeParse(part)
  for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message })
})
