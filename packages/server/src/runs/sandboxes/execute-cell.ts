import { setTimeout as delay } from 'node:timers/promises'
import { CoherexError, largestNotebook, packageLanguageOf, type Run, type RunRequest } from '@coherex/contract'
import { diskFullReason, isDiskFull, storable, type Database } from '../../base/index.ts'
import type { CellOutcome, Sign } from '../../runtimes/index.ts'
import { bindCapabilities } from '../execute/bind-capabilities.ts'
import { internalOutcome, type Executed, type ExecuteDeps, type Execution } from '../execute/execute-run.ts'
import { toEnv, toReceipt } from '../variables/environment.ts'
import type { OpenSandbox } from './open-sandbox.ts'
import { lockFor } from './packages/sandbox-packages.ts'
import { deleteCells, insertCell } from './sandbox-store.ts'
import { contextOf, type SandboxRow } from './sandbox.ts'
import type { Sandboxes } from './sandboxes.ts'

// the cell's end waits this long for its files to be safe; more of them are saved after it
const saveWaitMs = 2000

const ofTheSandbox = [
  'network',
  'env',
  'runtime',
  'readOnly',
  'typecheck',
  'keep',
  'entry',
  'args',
  'escalate',
] as const

const ofCells = ['context', 'interactive', 'cellId'] as const

export interface CellDeps extends ExecuteDeps {
  sandboxes: Sandboxes
  database: Database
}

/** Throws when a request asks of a cell what its sandbox decides, or of a run of its own what only a cell has. */
export function checkCell(request: RunRequest): void {
  if (request.sandboxId === undefined) {
    const field = ofCells.find((name) => request[name] !== undefined && request[name] !== false)
    if (field) throw refuse(field, 'takes a sandboxId')
    return
  }
  if (request.packages !== undefined && packageLanguageOf(request.language) === undefined)
    throw refuse('packages', 'a cell takes some of Python and JavaScript alone; others are added to its sandbox')
  const field = ofTheSandbox.find((name) => request[name] !== undefined)
  if (field) throw refuse(field, 'a cell has what its sandbox has')
  if (request.limits?.memoryMb !== undefined) throw refuse('limits.memoryMb', 'a cell has what its sandbox has')
  if (request.cellId !== undefined && request.code.length > largestNotebook.source)
    throw refuse('code', `a cell holds ${largestNotebook.source} characters at the most`)
}

function refuse(field: string, why: string): CoherexError {
  return new CoherexError('invalid_input', `${field}: ${why}`, { details: [{ field }] })
}

/** Runs a cell in its sandbox to its end and says how it ended, as it is to be recorded. Never throws. */
export async function executeCell(
  deps: CellDeps,
  { live, request, program, base, limits, capabilities }: Execution,
  { sandboxId, isReplay }: { sandboxId: string; isReplay: boolean },
): Promise<Executed> {
  const { sandboxes, meter, log } = deps
  const left = performance.now()
  const queuedMs = Math.max(0, Date.now() - Date.parse(live.run.createdAt))
  live.set({ status: 'loading', queuedMs })
  const context = contextOf(request)
  let startMs = 0
  let requests: Run['requests'] = []
  let had: SandboxRow | undefined
  const networkSigns: Sign[] = []

  const work = async (open: OpenSandbox): Promise<CellOutcome> => {
    const { inside, row } = open
    had = row
    const environment = await sandboxes.environment(row)
    const reason = `a cell of the sandbox ${row.name} (${row.id})`
    const lock = lockFor(row.packages, request.language)
    live.route(toReceipt({ name: 'process', reason, passedOver: [] }, environment, { lock, base }))
    for (const [path, content] of Object.entries(program.files)) await inside.files.write(path, chunksOf(content))
    const throughProxy = open.way.followRequests()
    const signsBefore = open.networkSigns().length
    const bound = bindCapabilities({
      program: { ...program, env: toEnv(environment) },
      limits,
      network: row.network ? open.way.rules : undefined,
      egress: deps.egress,
      shells: deps.shells,
      onSign: (sign) => networkSigns.push(sign),
    })
    const endNetwork = async () => {
      requests = [...(await bound.endRequests()), ...throughProxy()]
      // the proxy's count goes on from cell to cell: the one that passed a threshold is told of it
      networkSigns.push(...open.networkSigns().slice(signsBefore))
    }
    try {
      const ran = inside.runCell(
        {
          context,
          language: request.language,
          code: request.code,
          ...(request.stdin === undefined ? {} : { stdin: request.stdin }),
          ...(request.input === undefined ? {} : { input: request.input }),
        },
        {
          limits,
          signal: live.signal,
          capabilities: { ...bound.capabilities, ...capabilities },
          onOutput: (line) => live.print(storable(line)),
          onStart() {
            startMs = performance.now() - left
            live.set({ status: 'running', startedAt: new Date().toISOString() })
          },
          ...(request.interactive ? { onInput: (asked) => live.ask(storable(asked)) } : {}),
        },
      )
      const outcome = await ran.finally(endNetwork)
      // what the cell left through FILES and BASH belongs to the sandbox's files
      for (const { path, bytes } of await bound.files().catch(() => [])) await inside.files.write(path, chunksOf(bytes))
      if (!isReplay || outcome.sessionLost) await recordCell(deps, { open, runId: live.id, context, outcome })
      await noteFullness(sandboxes, open, outcome.isFull ?? false)
      // the cell ran all the same, and the next save takes what this one could not
      const saved = sandboxes.save(open).catch((error: unknown) => {
        if (!isDiskFull(error)) throw error
        log.error({ error, sandbox: open.row.id }, 'the files of a sandbox could not be saved')
        live.print({ at: outcome.durationMs, stream: 'warn', text: `[files were not saved: ${diskFullReason}]\n` })
      })
      await Promise.race([saved, delay(saveWaitMs, undefined, { ref: false })])
      return outcome
    } finally {
      await bound.close()
    }
  }

  let outcome: CellOutcome
  try {
    outcome = await sandboxes.use(live.teamId, sandboxId, work)
  } catch (error) {
    outcome = { ...toFailure(error), sessionLost: false }
    if (!(error instanceof CoherexError)) log.error({ error, run: live.id }, 'a cell could not be carried out')
  }
  if (live.run.runtime) meter.record({ runtime: 'process', outcome: { ...outcome, files: [] }, queuedMs, startMs })
  return {
    // what it wrote is in the sandbox
    files: [],
    limits: { ...limits, ...had?.limits },
    allow: had?.network?.allow,
    run: {
      ...live.run,
      status: outcome.status,
      ...(outcome.result === undefined ? {} : { result: storable(outcome.result) }),
      ...(outcome.resultText === undefined ? {} : { resultText: storable(outcome.resultText) }),
      ...(outcome.error ? { error: storable(outcome.error) } : {}),
      truncated: outcome.truncated,
      durationMs: outcome.durationMs,
      peakMemoryMb: outcome.peakMemoryMb,
      endedAt: new Date().toISOString(),
      signs: storable([...outcome.signs, ...networkSigns]),
      requests: storable(requests),
    },
  }
}

/** Keeps in mind what makes a session's variables, so that they can be made again. */
async function recordCell(
  { database, sandboxes }: CellDeps,
  { open, runId, context, outcome }: { open: OpenSandbox; runId: string; context: string; outcome: CellOutcome },
): Promise<void> {
  const { teamId, id } = open.row
  if (outcome.sessionLost) {
    await database.transaction({ team: teamId, upkeep: true }, (transaction) =>
      deleteCells(transaction, teamId, id, context),
    )
    await sandboxes.change(open, { notice: `The session ${context} ended: its variables are gone` })
  } else if (outcome.status === 'succeeded') {
    const cell = { teamId, sandboxId: id, runId, context }
    await database.transaction({ team: teamId, upkeep: true }, (transaction) => insertCell(transaction, cell))
  }
}

const fullNotice = 'It has no room for another process: reset it to end those that earlier cells left'

/** Tells whoever opens the sandbox next, until there is room again. */
async function noteFullness(sandboxes: Sandboxes, open: OpenSandbox, isFull: boolean): Promise<void> {
  const { notice } = open.row
  if (isFull !== (notice === fullNotice)) await sandboxes.change(open, { notice: isFull ? fullNotice : null })
}

/** A refusal, such as a quota that is used up, is told; anything else is our fault. */
function toFailure(error: unknown) {
  const outcome = internalOutcome()
  if (!(error instanceof CoherexError)) return outcome
  return { ...outcome, error: { kind: 'validation' as const, message: error.message } }
}

async function* chunksOf(content: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof content === 'string' ? Buffer.from(content) : content
}
