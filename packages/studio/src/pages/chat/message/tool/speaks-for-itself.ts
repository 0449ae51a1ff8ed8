import type { MessagePart, Turn } from '@coherex/contract'

const cutShort: readonly string[] = ['length', 'content-filter']

/** Whether an answer is one: nobody cut it short or withheld it, and something was said. */
export function speaksForItself(
  { ending, steps }: Pick<Turn, 'ending' | 'steps'>,
  parts: readonly MessagePart[],
): boolean {
  const last = steps.findLast(({ finishReason }) => finishReason !== 'title')
  return (
    ending?.kind === 'answered' &&
    !cutShort.includes(last?.finishReason ?? '') &&
    parts.some(({ type }) => type !== 'step-start')
  )
}
