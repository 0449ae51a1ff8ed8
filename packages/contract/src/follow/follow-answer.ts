import { isTurnOver, type TurnStatus } from '../agents/thread.ts'
import { pause, type SignalLike } from './pause.ts'

export type AnswerNews<Said> =
  | { type: 'said'; said: Said }
  /** It says nothing more until a person has answered, or its time has come. */
  | { type: 'rest'; status: TurnStatus }

export interface AnswerToFollow<Said> {
  /** What the turn says after `last`, until it ends or rests. */
  read: (last: Said | undefined) => AsyncIterable<Said>
  look: (last: Said | undefined) => Promise<TurnStatus>
  lookAgainMs: number
  signal: SignalLike
}

/** What a turn says to its very end: one that rests is waited for. */
export async function* followAnswer<Said>({
  read,
  look,
  lookAgainMs,
  signal,
}: AnswerToFollow<Said>): AsyncGenerator<AnswerNews<Said>, void> {
  let last: Said | undefined
  let isResting = false
  while (!signal.aborted) {
    for await (const said of read(last)) {
      last = said
      isResting = false
      yield { type: 'said', said }
    }
    const status = await look(last)
    if (isTurnOver(status)) return
    const rests = status === 'waiting' || status === 'sleeping'
    if (rests && !isResting) yield { type: 'rest', status }
    isResting = rests
    await pause(lookAgainMs, signal)
  }
}
