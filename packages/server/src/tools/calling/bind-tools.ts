import { CoherexError, type Run } from '@coherex/contract'
import { actsFor, findActing, type TeamCaller } from '../../access/index.ts'
import { actFor, type Database } from '../../base/index.ts'
import { CapabilityError, type Capabilities, type CapabilityMethod } from '../../capabilities/index.ts'
import type { BindMore, CallingRun } from '../../runs/index.ts'
import { beginChain, extendChain, spend, type CallChain, type NamedTool, type RefuseCall } from './call-chain.ts'
import { createLine } from './line.ts'

export interface BindDeps {
  database: Database
  call(
    caller: TeamCaller,
    tool: NamedTool & { input: unknown },
    options: { chain: CallChain; from: CallingRun; signal: AbortSignal },
  ): Promise<{ output: unknown; run: Run }>
}

/** Calls of one run that are made at once; more of them wait. */
const atOnce = 8

const reference = /^([a-z](?:[a-z0-9]|-(?=[a-z0-9])){0,62})(?:@([1-9][0-9]{0,8}))?$/

/** Gives runs `TOOLS`: the tools of their team, called in the name of whoever began the outermost of them. */
export function createBindTools(deps: BindDeps) {
  return {
    /** For a run that no tool called. */
    toRun:
      (refuse?: RefuseCall): BindMore =>
      (run) =>
        bind(deps, run, beginChain(refuse)),
    /** For the run of a tool. */
    toTool:
      (chain: CallChain): BindMore =>
      (run) =>
        bind(deps, run, chain),
  }
}

function bind({ database, call }: BindDeps, run: CallingRun, chain: CallChain): Capabilities {
  const inLine = createLine(atOnce)

  async function callNow(tool: NamedTool, input: unknown, signal: AbortSignal): Promise<unknown> {
    if (signal.aborted) throw new CapabilityError('CANCELLED', `Cannot call "${tool.name}": the run has ended`)
    const inner = extendChain(chain, tool.name)
    const refused = await chain.refuse?.({ ...tool, isDirect: chain.tools.length === 0 })
    if (refused !== undefined) throw new CapabilityError('NOT_ALLOWED', `Cannot call "${tool.name}": ${refused}`)
    // what its person or key may do can have changed since the outermost run began
    const now = await findActing(database, actsFor(run.caller))
    if ('lost' in now) throw new CapabilityError('NOT_ALLOWED', `Cannot call "${tool.name}": ${now.lost}`)
    const { output, run: done } = await call(now.caller, { ...tool, input }, { chain: inner, from: run, signal })
    if (done.status === 'succeeded') return output
    throw new CapabilityError(
      'TOOL_FAILED',
      `The tool "${tool.name}" failed: ${done.error?.message ?? done.status} (${done.id})`,
    )
  }

  const method: CapabilityMethod = async ([named, given = {}], signal) => {
    const tool = readReference(named)
    const input = toJson(given, tool.name)
    try {
      return await inLine(() =>
        // the answer of a sandbox comes to nobody's work in particular
        actFor(run.caller.person.id, () => spend(chain, tool.name, () => callNow(tool, input, signal))),
      )
    } catch (error) {
      if (!(error instanceof CoherexError)) throw error
      throw new CapabilityError(error.code.toUpperCase(), `Cannot call "${tool.name}": ${error.message}`)
    }
  }
  return { TOOLS: { methods: { call: method, '*': method } } }
}

function readReference(named: unknown): NamedTool {
  const text = typeof named === 'string' ? named : ''
  // names have hyphens, and those of methods cannot
  const [, name, version] = reference.exec(text.replaceAll('_', '-')) ?? []
  if (name === undefined)
    throw new CapabilityError(
      'INVALID_ARGUMENT',
      `"${text.slice(0, 100)}" names no tool: it is a name such as invoice, or invoice@3`,
    )
  return { name, version: version === undefined ? undefined : Number(version) }
}

/** As it would come over HTTP. */
function toJson(given: unknown, name: string): unknown {
  try {
    return JSON.parse(JSON.stringify(given)) as unknown
  } catch {
    throw new CapabilityError('INVALID_INPUT', `Cannot call "${name}": the input is no JSON`)
  }
}
