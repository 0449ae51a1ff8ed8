import type { TurnEnding } from '@coherex/contract'

/** Why a turn rests: it is stored, and goes on when its time has come. */
export type TurnPause =
  | { kind: 'waiting'; message: string; approvalIds: string[] }
  | { kind: 'sleeping'; message: string; until: Date }
  | { kind: 'leaving'; message: string }

/** Raised in a turn's signal: why it has to end now. */
export class TurnStop extends Error {
  override readonly name = 'TurnStop'
  readonly ending: TurnEnding

  constructor(ending: TurnEnding) {
    super(ending.message)
    this.ending = ending
  }
}

/** Raised when a server stops and calls did not end in time: nobody knows whether they were done. */
export class TurnLeft extends Error {
  override readonly name = 'TurnLeft'
}
