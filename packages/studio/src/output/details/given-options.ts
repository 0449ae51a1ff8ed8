import { formatBytes, formatDuration, type Run, type RunProgram } from '@coherex/contract'
import { formatMegabytes } from '../../words/quantity.ts'

interface GivenOption {
  name: string
  value: string
  /** Nobody asked for it. */
  isDefault?: true
}

/** The limits of a run, asked for or not, and what else was asked for. */
export function givenOptions(
  { limits = {}, network, packages = [], keep = [], ...options }: RunProgram['options'],
  { sandboxId }: Pick<Run, 'sandboxId'>,
): GivenOption[] {
  const { timeoutMs, memoryMb, outputBytes } = limits
  const limit = (name: string, value: string | undefined, otherwise = 'default'): GivenOption =>
    value === undefined ? { name, value: otherwise, isDefault: true } : { name, value }
  const asked = (name: string, value: string | undefined): GivenOption[] => (value ? [{ name, value }] : [])
  return [
    limit('Time', timeoutMs === undefined ? undefined : formatDuration(timeoutMs)),
    limit(
      'Memory',
      memoryMb === undefined ? undefined : formatMegabytes(memoryMb),
      sandboxId ? 'that of its sandbox' : 'default',
    ),
    limit('Output', outputBytes === undefined ? undefined : formatBytes(outputBytes)),
    limit('Network', network?.allow.join('\n') || undefined, sandboxId ? 'that of its sandbox' : 'none'),
    ...asked('Packages', packages.join(', ')),
    ...asked('Runtime', options.runtime),
    ...asked('Session', options.context),
    ...asked('Keeps', keep.join('\n')),
    ...asked('Types', options.typecheck ? 'checked first' : undefined),
    ...asked('Files', options.readOnly ? 'cannot be written' : undefined),
    ...asked('Escalates', options.escalate ? 'to a process where the isolate is too small' : undefined),
  ]
}
