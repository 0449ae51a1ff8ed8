import type { Run, RunProgram, ToolSource } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { cellsQuery } from '../data/cell.ts'
import { runQuery } from '../data/run/run-get.ts'
import { runProgramQuery } from '../data/run/run-program.ts'
import { earlierNames } from './earlier-names.ts'

export interface ExportTrouble {
  message: string
  /** The server refuses it, whatever the form says. */
  isRefused: boolean
  /** The workspace that the tool can be made from instead. */
  workspaceId?: string
}

/** Why a run cannot become a tool, or what it will miss; asked before anybody fills in the form. */
export function useExportTrouble(from: ToolSource): ExportTrouble | undefined {
  const runId = 'runId' in from ? from.runId : undefined
  const program = useQuery({ ...runProgramQuery(runId ?? ''), enabled: runId !== undefined }).data
  const run = useQuery({ ...runQuery(runId ?? ''), enabled: runId !== undefined }).data
  const sandboxId = program?.options.sandboxId
  const cells = useQuery({ ...cellsQuery(sandboxId ?? ''), enabled: sandboxId !== undefined }).data
  const refusal = whyNotDone(run) ?? (program && whyRefused(program.options))
  if (refusal || !program || !cells) return refusal
  const at = cells.findIndex((cell) => cell.runId === runId)
  const before = cells.slice(0, Math.max(0, at)).filter(({ kind }) => kind === 'code')
  const names = earlierNames(
    program.code,
    before.map(({ source }) => source),
  )
  if (names.length === 0) return undefined
  return {
    isRefused: false,
    message: `It uses ${names.join(', ')} of earlier cells, which a tool does not have. Define them in this cell or take them as input, then run it again.`,
  }
}

function whyNotDone(run: Run | undefined): ExportTrouble | undefined {
  if (!run || run.status === 'succeeded') return undefined
  return { message: 'Only a run that succeeded becomes a tool: its result is the first test.', isRefused: true }
}

function whyRefused({ workspaceId, stdin, args = [] }: RunProgram['options']): ExportTrouble | undefined {
  if (workspaceId !== undefined) {
    const message = 'It used the files of a workspace. Export the file or its folder there instead.'
    return { message, isRefused: true, workspaceId }
  }
  if (stdin === undefined && args.length === 0) return undefined
  return {
    message:
      'It read standard input or arguments, which a tool does not have. Take its input instead, and run it again.',
    isRefused: true,
  }
}
