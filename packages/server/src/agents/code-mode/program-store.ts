import { createHash, randomBytes } from 'node:crypto'
import { and, asc, eq, sql } from 'drizzle-orm'
import { forEachTeam, type Database, type Transaction } from '../../base/index.ts'
import { readVariables } from '../../runs/index.ts'
import { admitCall, type Admitting } from '../approvals/admit-call.ts'
import { innerCallId, type CallAnswer, type Journal, type LiveCall } from '../turn/journal.ts'
import { holdTurn } from '../turns/hold-turn.ts'
import { admitWithinRights, type LookUpRights } from '../turns/rights.ts'
import { PathChanged } from './replay.ts'
import { programCallTable, programTable } from './tables.ts'

const programTool = 'run_program'

/** Opens the journal of a program, or begins one. */
export async function openJournal(
  admitting: Admitting,
  {
    callId,
    code,
    workspaceId,
    lookUp,
    onAsk,
  }: {
    callId: string
    code: string
    workspaceId: string | null
    lookUp: LookUpRights
    onAsk(approvalId: string): void
  },
): Promise<Journal> {
  const { database, turn, agent } = admitting
  const { teamId, answerId, id: turnId } = turn
  const key = { teamId, answerId, callId }
  const codeHash = createHash('sha256').update(code).digest('hex')
  const { program, calls } = await database.transaction({ team: teamId }, async (transaction) => {
    await holdTurn(transaction, turn)
    const variables = await readVariables(transaction, teamId, { workspaceId, agentName: agent.name })
    await transaction
      .insert(programTable)
      .values({ ...key, codeHash, seed: randomBytes(32).toString('hex'), variables })
      .onConflictDoNothing()
    const [row] = await transaction.select().from(programTable).where(isOf(programTable, key))
    const rows = await transaction
      .select()
      .from(programCallTable)
      .where(isOf(programCallTable, key))
      .orderBy(asc(programCallTable.number))
    return { program: row, calls: rows }
  })
  if (program?.codeHash !== codeHash) throw new PathChanged('it is not the program that was begun')
  const heard = calls.filter(({ place }) => place !== null).sort((a, b) => Number(a.place) - Number(b.place))
  let places = Number(heard.at(-1)?.place ?? -1) + 1

  const keepCall = async (transaction: Transaction, { number, tool, text }: LiveCall) => {
    await transaction
      .insert(programCallTable)
      .values({ ...key, number, tool: tool.name, input: text })
      .onConflictDoNothing()
  }

  return {
    fixed: { now: program.begunAt.getTime(), seed: program.seed },
    environment: program.variables,
    answered: heard.map(({ number }) => number),
    recorded: calls.map(({ number, tool, input, editedInput, answer }) => ({
      ...{ number, tool, input, editedInput },
      ...(answer !== null && { answer: JSON.parse(answer) as CallAnswer }),
    })),
    async admit(call, input) {
      const { number, tool, text } = call
      const open = { id: innerCallId(callId, number), tool: tool.name, state: 'input-available' }
      const admission = await admitWithinRights(lookUp, tool, () =>
        admitCall(
          admitting,
          { call: { ...open, input: JSON.parse(text) as unknown }, tool, input, via: [programTool] },
          (transaction) => keepCall(transaction, call),
        ),
      )
      if (admission.kind === 'wait') onAsk(admission.approvalId)
      return admission
    },
    answer: (call, answer, editedInput) =>
      database.transaction({ team: teamId }, async (transaction) => {
        await holdTurn(transaction, turn)
        await keepCall(transaction, call)
        await transaction
          .update(programCallTable)
          .set({
            answer: JSON.stringify(answer),
            place: places++,
            ...(editedInput !== undefined && { editedInput: JSON.stringify(editedInput) }),
          })
          .where(and(isOf(programCallTable, key), eq(programCallTable.number, call.number)))
        const status = 'value' in answer ? 'done' : 'failed'
        await transaction.execute(sql`
          UPDATE coherex.turn_call SET status = ${status}
          WHERE team_id = ${teamId} AND turn_id = ${turnId} AND call_id = ${innerCallId(callId, call.number)}`)
        // a call that was made is progress, however often the server is lost
        await transaction.execute(sql`
          UPDATE coherex.turn SET failures = 0 WHERE team_id = ${teamId} AND id = ${turnId}`)
      }),
  }
}

/** Removes the journals of answers that are complete: none of their programs is ever run again. */
export async function prunePrograms(database: Database): Promise<void> {
  await forEachTeam(database, async (teamId) => {
    await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
      transaction.execute(sql`
        DELETE FROM coherex.agent_program USING coherex.turn
        WHERE agent_program.team_id = ${teamId} AND turn.team_id = ${teamId} AND turn.answer_id = agent_program.answer_id
          AND turn.status = 'done'`),
    )
  })
}

type Keyed = Pick<typeof programTable, 'teamId' | 'answerId' | 'callId'>

function isOf(table: Keyed | typeof programCallTable, key: { teamId: string; answerId: string; callId: string }) {
  return and(eq(table.teamId, key.teamId), eq(table.answerId, key.answerId), eq(table.callId, key.callId))
}
