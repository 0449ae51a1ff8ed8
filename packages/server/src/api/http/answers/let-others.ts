import { setImmediate } from 'node:timers/promises'

// what one turn of the server may spend on answers, whoever they are for
const turnMs = 10

let turn: { began: number; isOver: Promise<void> } | undefined

/**
 * Waits for the next turn once this one has taken its time. What is written to many readers goes on from promise to promise, and
 * nobody else would be heard before the last of them has it.
 */
export function letOthers(): Promise<void> | undefined {
  turn ??= { began: performance.now(), isOver: setImmediate().then(() => void (turn = undefined)) }
  return performance.now() - turn.began > turnMs ? turn.isOver : undefined
}
