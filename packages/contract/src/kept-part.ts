import { z } from 'zod'

const text = z.looseObject({ text: z.string() })

const file = z.looseObject({
  mediaType: z.string().max(200),
  filename: z.string().max(255).optional(),
  // whoever reads on, a browser or a model's server, would ask an address for it
  url: z.string().regex(/^data:[\w.+-]+\/[\w.+-]+;base64,[A-Za-z0-9+/]*={0,2}$/, 'must be a data URL, not an address'),
})

const call = z.looseObject({ toolCallId: z.string().min(1), approval: z.looseObject({ id: z.string() }).optional() })

const calls: Record<string, z.ZodType> = {
  'input-streaming': call,
  'input-available': call,
  'approval-requested': call,
  'approval-responded': call,
  'output-available': call.extend({
    output: z.looseObject({
      text: z.string(),
      displays: z.array(z.looseObject({})).optional(),
      runId: z.string().optional(),
    }),
  }),
  'output-error': call.extend({ errorText: z.string() }),
  'output-denied': call.required({ approval: true }),
}

const anyCall = z.looseObject({ state: z.enum(Object.keys(calls)) })
const anything = z.looseObject({})
const nothing = z.never('there is no such kind of part')

function schemaOf({ type, state }: { type: string; state?: unknown }): z.ZodType {
  if (type === 'text' || type === 'reasoning') return text
  if (type === 'file' || type === 'reasoning-file') return file
  if (type.startsWith('tool-') || type === 'dynamic-tool') return calls[String(state)] ?? anyCall
  return /^(?:step-start|source-url|source-document|data-.+)$/.test(type) ? anything : nothing
}

/** A part of a message that comes from a file: what people and models will read of it has the form they rely on. */
export const keptPart = z.looseObject({ type: z.string().max(100) }).superRefine((part, context) => {
  const { error } = schemaOf(part).safeParse(part)
  for (const { path, message } of error?.issues ?? []) context.addIssue({ code: 'custom', path, message })
})
