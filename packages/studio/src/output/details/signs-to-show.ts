import type { ErrorKind, Run } from '@coherex/contract'

const limitErrors: readonly ErrorKind[] = ['timeout', 'memory', 'output']

/** The signs of a run without the limit that ended it: its error tells that one, and it happens to everyone. */
export function signsToShow({ signs, error }: Pick<Run, 'signs' | 'error'>): Run['signs'] {
  const endedAtLimit = error !== undefined && limitErrors.includes(error.kind)
  return endedAtLimit ? signs.filter(({ kind }) => kind !== 'limit-kill') : signs
}
