import { CoherexError } from '@coherex/contract'
import { z } from 'zod'
import { CapabilityError, type Capability } from '../../capabilities/index.ts'
import type { Runs } from '../../runs/index.ts'
import { describeRun } from './run-code.ts'
import { defineTool, startedByCall, type AgentTool, type ToolContext, type ToolOutput } from './tool.ts'

const mostCalls = 200

/** What a program did through `env.TOOLS`, for people to see. */
interface ProgramCall {
  tool: string
  input: unknown
  outcome: 'done' | 'failed'
  text: string
}

/** Many calls from one program that the agent writes. Each is checked and recorded like any other. */
export function codeModeTool(runs: Runs, tools: readonly AgentTool[]): AgentTool {
  const names = tools.map(({ name }) => name).join(', ')
  return defineTool({
    name: 'run_program',
    description: `Runs a JavaScript module that calls your tools: export default async (env) => { const { text } = await env.TOOLS.read_file({ path: "a.txt" }); return text }. In env.TOOLS: ${names}. Use it for many calls, loops and filtering`,
    input: z.strictObject({ code: z.string().min(1).max(200_000) }),
    isReadOnly: false,
    async run({ code }, context) {
      const calls: ProgramCall[] = []
      const live = await runs.start(
        context.caller,
        { language: 'javascript', code, runtime: 'isolate' },
        { capabilities: { TOOLS: toCapability(tools, context, calls) }, startedBy: startedByCall(context) },
      )
      const stop = () => void runs.cancel(context.caller, live.id).catch(() => undefined)
      context.signal.addEventListener('abort', stop, { once: true })
      try {
        const run = await live.ended
        context.signal.throwIfAborted()
        return { ...describeRun(run), data: JSON.parse(JSON.stringify({ calls })) as ToolOutput['data'] }
      } finally {
        context.signal.removeEventListener('abort', stop)
      }
    },
  })
}

function toCapability(tools: readonly AgentTool[], context: ToolContext, calls: ProgramCall[]): Capability {
  const call = async (tool: AgentTool, input: unknown): Promise<{ text: string; data?: unknown }> => {
    if (calls.length >= mostCalls) throw new CapabilityError('LIMIT_EXCEEDED', `A program may make ${mostCalls} calls`)
    const parsed = tool.input.safeParse(input)
    const record = (outcome: ProgramCall['outcome'], text: string) =>
      calls.push({ tool: tool.name, input, outcome, text: text.slice(0, 2_000) })
    if (!parsed.success) {
      const problems = parsed.error.issues.map(({ path, message }) => `${path.join('.') || 'arguments'}: ${message}`)
      record('failed', problems.join('; '))
      throw new CapabilityError('INVALID_INPUT', problems.slice(0, 10).join('; '))
    }
    const asking = await context.askingFor(tool, parsed.data)
    if (asking !== undefined) {
      const text = `${asking}, and a program cannot wait for that: make this call by itself, outside of run_program`
      record('failed', text)
      throw new CapabilityError('APPROVAL_NEEDED', text)
    }
    try {
      // an approval of the program is none of what it calls
      const inside = { ...context, isApproved: false }
      const { text, data } = await tool.run(parsed.data, { ...inside, onProgress: () => undefined })
      record('done', text)
      return { text, ...(data !== undefined && { data }) }
    } catch (error) {
      if (!(error instanceof CoherexError)) throw error
      record('failed', error.message)
      throw new CapabilityError(error.code.toUpperCase(), error.message)
    }
  }
  return {
    methods: Object.fromEntries(tools.map((tool) => [tool.name, ([input]: unknown[]) => call(tool, input)])),
  }
}
