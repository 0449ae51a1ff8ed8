import type { Activity } from '@coherex/contract'
import type { UIMessage } from 'ai'
import { storableJson, type Database } from '../../base/index.ts'
import type { StoredBudget } from '../turn/budget.ts'
import type { PlainCall } from '../turn/call.ts'
import type { ExecutedCall, RestingCall } from '../turn/call.ts'
import type { SaidPart } from '../turn/said.ts'
import type { StepRecord } from '../turn/step.ts'
import { TurnLost } from './hold-turn.ts'
import type { StoredTurn } from './turn-store.ts'

type KeptTurn = Pick<StoredTurn, 'teamId' | 'id' | 'threadId' | 'answerId' | 'take' | 'personId'>

/**
 * Everything a model call changed, and the calls that may be made without asking anyone: those that change something
 * are written down as begun. One round trip, on disk when it is over: a turn waits for it before it goes on.
 */
export async function keepStep(
  database: Database,
  turn: KeptTurn,
  kept: {
    step: StepRecord
    model: string
    parts?: UIMessage['parts']
    activity: Activity
    budget: StoredBudget
    calls?: PlainCall[]
  },
): Promise<Set<string>> {
  const { step, model, parts, activity, budget, calls = [] } = kept
  const admitted = await keep(database, 'keep_step', turn, {
    ...(parts && { parts }),
    activity,
    budget,
    step: {
      team_id: turn.teamId,
      turn_id: turn.id,
      number: step.number,
      model,
      finish_reason: step.finishReason,
      input_tokens: step.tokens.input,
      cached_input_tokens: step.tokens.cachedInput,
      output_tokens: step.tokens.output,
      cost_usd: step.costUsd,
      calls: [],
      started_at: step.startedAt.toISOString(),
      duration_ms: step.durationMs,
      first_token_ms: step.firstTokenMs,
    },
    calls: calls.map(({ id, tool, isReadOnly }) => ({ id, tool, is_read_only: isReadOnly })),
  })
  return new Set(admitted as string[])
}

/** What one call gave: from now on it is done. */
export async function keepCall(
  database: Database,
  turn: KeptTurn,
  kept: {
    number: number
    call: ExecutedCall | RestingCall
    parts: UIMessage['parts']
    activity: Activity
    budget: StoredBudget
  },
): Promise<void> {
  const { call } = kept
  const until = call.status === 'sleeping' ? { until: call.until.toISOString() } : {}
  await keep(database, 'keep_call', turn, { ...kept, call: { ...call, ...until } })
}

/** What was said into the turn since, which is part of its answer now. */
export async function takeSaid(database: Database, turn: KeptTurn): Promise<SaidPart[]> {
  return (await keep(database, 'take_said', turn, {})) as SaidPart[]
}

async function keep(
  database: Database,
  name: 'keep_step' | 'keep_call' | 'take_said',
  { teamId, id, threadId, answerId, take, personId }: KeptTurn,
  kept: object,
): Promise<unknown> {
  const row = { team_id: teamId, person_id: personId, turn_id: id, thread_id: threadId, answer_id: answerId, take }
  const answer = await database.call(name, storableJson({ ...row, ...kept }))
  if (!answer) throw new TurnLost(`turn ${id} is not held any more`)
  return answer
}
