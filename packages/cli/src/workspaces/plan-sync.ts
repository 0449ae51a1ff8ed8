/** What to do with one path so that both sides agree. */
export type SyncStep =
  | { path: string; do: 'agree'; hash: string }
  | { path: string; do: 'forget' }
  | { path: string; do: 'download' | 'upload' | 'delete-here' | 'delete-there' | 'merge' }

export interface Sides {
  /** Hashes when both sides last agreed. */
  agreed: ReadonlyMap<string, string>
  here: ReadonlyMap<string, string>
  there: ReadonlyMap<string, string>
}

/** Compares both sides with what they last agreed on. A change wins over a deletion: nothing is deleted on doubt. */
export function planSync({ agreed, here, there }: Sides): SyncStep[] {
  const paths = [...new Set([...agreed.keys(), ...here.keys(), ...there.keys()])].toSorted()
  const steps = paths.flatMap((path) => {
    const step = stepOf(path, agreed.get(path), here.get(path), there.get(path))
    return step ? [step] : []
  })
  // first what goes: a folder may take the place of a file, and a name come back in other letters
  return steps.toSorted((a, b) => Number(isDeletion(b)) - Number(isDeletion(a)))
}

function isDeletion(step: SyncStep): boolean {
  return step.do === 'delete-here' || step.do === 'delete-there'
}

function stepOf(
  path: string,
  agreed: string | undefined,
  here: string | undefined,
  there: string | undefined,
): SyncStep | undefined {
  if (here === there) {
    if (here === agreed) return undefined
    return here === undefined ? { path, do: 'forget' } : { path, do: 'agree', hash: here }
  }
  if (here === agreed) return { path, do: there === undefined ? 'delete-here' : 'download' }
  if (there === agreed) return { path, do: here === undefined ? 'delete-there' : 'upload' }
  if (here === undefined) return { path, do: 'download' }
  return { path, do: there === undefined ? 'upload' : 'merge' }
}
