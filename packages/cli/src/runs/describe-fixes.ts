import { readLimitFix, type Fix, type Run } from '@coherex/contract'

/** The flags that make a failure go away, to copy: what a cell has of its sandbox takes none. */
export function describeFixes({ error, sandboxId }: Pick<Run, 'error' | 'sandboxId'>): string[] {
  const flags = (error?.fixes ?? []).flatMap((fix) => flagOf(fix, sandboxId !== undefined) ?? [])
  if (flags.length === 0) return []
  return [`coherex: run it again with ${flags.join(' or ')}`]
}

function flagOf({ kind, value }: Fix, isCell: boolean): string | undefined {
  if (kind === 'give-stdin') return '--stdin FILE'
  if (kind === 'raise-limit') {
    const { name, amount } = readLimitFix(value) ?? {}
    if (name === 'timeoutMs') return `--timeout ${amount}ms`
    if (isCell) return undefined
    return name === 'memoryMb' ? `--memory ${amount}` : `--max-output ${amount}`
  }
  if (isCell) return undefined
  if (kind === 'allow-host') return `--allow ${value}`
  if (kind === 'add-package') return `--with ${value}`
  return kind === 'use-process' ? '--runtime process' : undefined
}
