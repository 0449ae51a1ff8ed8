import type { TurnChunk, TurnEnding } from '@coherex/contract'
import type { TurnPause } from '../turn/ending.ts'

const failures: readonly string[] = [
  'model',
  'interrupted',
  'rights',
  'replay',
  'internal',
] satisfies TurnEnding['kind'][]

/** Whether a turn broke. One that met a limit or was stopped did what it was told. */
export function isFailure({ kind }: { kind: string }): boolean {
  return failures.includes(kind)
}

/** The last words of a stream: how the turn ended, also in the one chunk that `useChat` shows as an error. */
export function closingChunks(
  turnId: string,
  ending: TurnEnding | Exclude<TurnPause, { kind: 'leaving' }>,
): TurnChunk[] {
  const isPlain = ending.kind === 'answered' || ending.kind === 'waiting' || ending.kind === 'sleeping'
  return [
    ...(isPlain ? [] : [{ type: 'data-ending' as const, data: ending }]),
    ...(isFailure(ending) ? [{ type: 'error' as const, errorText: ending.message }] : []),
    { type: 'finish', messageMetadata: { turnId } },
  ]
}
