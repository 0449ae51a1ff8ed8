import { z } from 'zod'
import { CapabilityError, type CapabilityMethod } from './capability.ts'

/** A method whose arguments are what the tuple says, or the guest hears which one is not. */
export function defineMethod<Args extends z.ZodType<unknown[], unknown[]>>(
  name: string,
  describeArgs: () => Args,
  run: (args: z.output<Args>, signal: AbortSignal, taken?: Promise<void>) => Promise<unknown>,
): CapabilityMethod {
  // made at the first call: a run calls few of the methods it holds, and making a schema costs more than a call
  let args: Args | undefined
  return async (given, signal, taken) => {
    if (signal.aborted) throw new CapabilityError('CANCELLED', `Cannot call ${name}(): the run was ended`)
    args ??= describeArgs()
    const parsed = args.safeParse(given)
    if (!parsed.success) throw invalid(name, parsed.error.issues[0])
    return run(parsed.data, signal, taken)
  }
}

function invalid(name: string, issue: z.core.$ZodIssue | undefined): CapabilityError {
  const [index, ...inner] = issue?.path ?? []
  const position = typeof index === 'number' ? `argument ${index + 1}` : 'arguments'
  const where = inner.length > 0 ? `${position}, ${inner.map(String).join('.').slice(0, 100)}` : position
  // of names that nobody knows it lists all
  const why = issue?.message.slice(0, 300) ?? 'not valid'
  return new CapabilityError('INVALID_ARGUMENT', `Cannot call ${name}(): ${where}: ${why}`)
}
