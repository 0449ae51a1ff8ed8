import { z } from 'zod'

// counted before any of them is looked at: to say of each of very many what is wrong with it would hold up the server
const mostNames = 1_000

/** A record whose names a caller chose. Zod drops "__proto__" in silence; here it is refused, as a field that has a name. */
export function namedRecord<Value>(
  name: z.ZodType<string, string>,
  value: z.ZodType<Value, Value>,
): z.ZodType<Record<string, Value>, Record<string, Value>> {
  const refuseNames = (given: unknown, context: z.RefinementCtx): unknown => {
    if (typeof given !== 'object' || given === null) return given
    if (Object.hasOwn(given, '__proto__')) {
      context.addIssue({ code: 'custom', path: ['__proto__'], message: 'cannot be a name here' })
    }
    if (Object.keys(given).length > mostNames) {
      context.addIssue({ code: 'custom', message: `must not have more than ${mostNames} entries` })
    }
    return given
  }
  return z.preprocess(refuseNames, z.record(name, value)) as z.ZodType<Record<string, Value>, Record<string, Value>>
}
