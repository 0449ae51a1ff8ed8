import { CapabilityError } from '../../capabilities/index.ts'

/** How far code may call tools that call tools. */
const deepestChain = 8
/** Calls that one run may lead to, with all that those lead to. */
const mostCalls = 1_000
/** Of these, under way at once: those that wait for others count too. */
const mostUnderWay = 64

/** A tool as code names it. */
export interface NamedTool {
  name: string
  version: number | undefined
}

/** Why the outermost caller may not have a tool called in its name; undefined when it may. */
export type RefuseCall = (tool: NamedTool & { isDirect: boolean }) => Promise<string | undefined>

/**
 * What led to a call: the tools from the outermost one on. One budget serves all calls of the outermost run, and all of them are
 * made in its caller's name.
 */
export interface CallChain {
  readonly tools: readonly string[]
  readonly budget: { made: number; underWay: number }
  readonly refuse: RefuseCall | undefined
}

export function beginChain(refuse?: RefuseCall): CallChain {
  return { tools: [], budget: { made: 0, underWay: 0 }, refuse }
}

/** The chain inside of a tool. Throws what its caller hears where it would go round in circles or too deep. */
export function extendChain(chain: CallChain, name: string): CallChain {
  const tools = [...chain.tools, name]
  const path = tools.join(' → ')
  if (chain.tools.includes(name))
    throw new CapabilityError('CYCLE', `Cannot call "${name}": it would call itself: ${path}`)
  if (tools.length > deepestChain)
    throw new CapabilityError(
      'LIMIT_EXCEEDED',
      `Cannot call "${name}": tools call each other at most ${deepestChain} deep: ${path}`,
    )
  return { ...chain, tools }
}

/** Does a call within the budget of its chain. */
export async function spend<T>({ budget }: CallChain, name: string, work: () => Promise<T>): Promise<T> {
  const refuse = (why: string) => new CapabilityError('LIMIT_EXCEEDED', `Cannot call "${name}": ${why}`)
  if (budget.made >= mostCalls) throw refuse(`one run leads to ${mostCalls} calls of tools at most`)
  if (budget.underWay >= mostUnderWay)
    throw refuse(`${mostUnderWay} calls of one run are under way: wait for some of them`)
  budget.made++
  budget.underWay++
  try {
    return await work()
  } finally {
    budget.underWay--
  }
}
