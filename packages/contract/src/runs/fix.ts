import { z } from 'zod'
import { anyText, text } from '../wire/text.ts'
import type { RunRequest } from './run.ts'

export const fixKinds = [
  'allow-host',
  'add-package',
  'give-stdin',
  'raise-limit',
  'use-process',
  'install-language',
] as const
const fixKind = z.enum(fixKinds)
export type FixKind = z.infer<typeof fixKind>

/**
 * What a person can press to make a failure go away. `value` is what it takes: the URL prefix to allow, the package, the limit as
 * `memoryMb=512`, the command that installs a language. It comes from what the code asked for, so a person sees it before it acts.
 */
export const fix = z.object({ kind: fixKind, value: z.string(), label: z.string() })
export type Fix = z.infer<typeof fix>

/** A fix as it is asked for, with the standard input where that is what was missing. */
export const fixRequest = z.strictObject({
  kind: fixKind.exclude(['install-language']),
  value: text().max(2000),
  stdin: anyText().max(5_000_000).optional(),
})
export type FixRequest = z.infer<typeof fixRequest>

type Fixable = Pick<RunRequest, 'network' | 'packages' | 'stdin' | 'limits' | 'runtime'>
export type LimitName = keyof NonNullable<RunRequest['limits']>

/** The options of a run with a fix applied. */
export function applyFix<Options extends Fixable>(
  options: Options,
  { kind, value, stdin }: Pick<Fix, 'kind' | 'value'> & { stdin?: string | undefined },
): Options {
  switch (kind) {
    case 'allow-host':
      return { ...options, network: { allow: once([...(options.network?.allow ?? []), value]) } }
    case 'add-package':
      return { ...options, packages: once([...(options.packages ?? []), value]) }
    case 'give-stdin':
      return { ...options, stdin: stdin ?? '' }
    case 'raise-limit': {
      const limit = readLimitFix(value)
      return limit ? { ...options, limits: { ...options.limits, [limit.name]: limit.amount } } : options
    }
    case 'use-process':
      return { ...options, runtime: 'process' }
    case 'install-language':
      return options
  }
}

export function limitFix(name: LimitName, amount: number): string {
  return `${name}=${amount}`
}

/** The limit that a `raise-limit` raises, and to what. */
export function readLimitFix(value: string): { name: LimitName; amount: number } | undefined {
  const [, name, amount] = /^(timeoutMs|memoryMb|outputBytes)=(\d{1,9})$/.exec(value) ?? []
  return name === undefined ? undefined : { name: name as LimitName, amount: Number(amount) }
}

/** The fixes that a refusal carries, where a run was not even begun. */
export function fixesOf(error: unknown): Fix[] {
  const { details } = error as { details?: { fixes?: unknown } | null }
  return z.array(fix).safeParse(details?.fixes).data ?? []
}

function once(values: readonly string[]): string[] {
  return [...new Set(values)]
}
