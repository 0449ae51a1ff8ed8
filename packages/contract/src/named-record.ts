import { z } from 'zod'

/** A record whose names a caller chose. Zod drops "__proto__" in silence; here it is refused, as a field that has a name. */
export function namedRecord<Value>(
  name: z.ZodType<string, string>,
  value: z.ZodType<Value, Value>,
): z.ZodType<Record<string, Value>, Record<string, Value>> {
  const refuseProto = (given: unknown, context: z.RefinementCtx): unknown => {
    if (typeof given === 'object' && given !== null && Object.hasOwn(given, '__proto__')) {
      context.addIssue({ code: 'custom', path: ['__proto__'], message: 'cannot be a name here' })
    }
    return given
  }
  return z.preprocess(refuseProto, z.record(name, value)) as z.ZodType<Record<string, Value>, Record<string, Value>>
}
