import { z } from 'zod'
import type { Runs } from '../../runs/index.ts'
import { runProgram } from '../code-mode/run-program.ts'
import { defineTool, type AgentTool } from '../turn/tool.ts'

/** Many calls from one program that the agent writes. Each is checked, asked for and recorded like any other. */
export function codeModeTool(runs: Runs, tools: readonly AgentTool[]): AgentTool {
  const names = tools.flatMap(({ name, reference }) => (reference === 'sleep' ? [] : name)).join(', ')
  return defineTool({
    name: 'run_program',
    description: `Runs a JavaScript module that calls your tools: export default async (env) => { const { text } = await env.TOOLS.read_file({ path: "a.txt" }); return text }. In env.TOOLS: ${names}. Use it for many calls, loops and filtering. Its clock stands still but for timers; env.VARS has its variables by name`,
    input: z.strictObject({ code: z.string().min(1).max(200_000) }),
    scope: 'run',
    isReadOnly: false,
    isResumable: true,
    run: ({ code }, context) => runProgram(runs, tools, { code, context }),
  })
}
