import { lineOfOutput, type NotebookOutput } from '@coherex/contract'
import { useMemo } from 'react'
import { OutputLog } from '../../../output/output-log.ts'
import { OutputView } from '../../../output/output-view.tsx'

/** What a notebook keeps of an earlier run of a cell. */
export function StoredOutputs({ outputs }: { outputs: readonly unknown[] }) {
  // the text is read anew with each key: the same outputs are drawn once
  const written = JSON.stringify(outputs)
  const log = useMemo(() => toLog(JSON.parse(written) as unknown[]), [written])
  if (log.blocks.length === 0) return null
  return (
    <div className="flex max-h-160 flex-col border-t border-line">
      <OutputView log={log} version={log.version} live={false} />
    </div>
  )
}

function toLog(outputs: readonly unknown[]): OutputLog {
  const log = new OutputLog()
  for (const output of outputs) {
    if (!isOutput(output)) continue
    if (output.output_type === 'error') {
      const lines = Array.isArray(output.traceback) && output.traceback.length > 0 ? output.traceback : undefined
      log.append({ at: 0, stream: 'stderr', text: (lines ?? [`${output.ename}: ${output.evalue}`]).join('\n') })
    } else if (output.output_type === 'stream')
      log.append(lineOfOutput({ ...output, text: [output.text].flat().join('') }))
    else log.append(lineOfOutput(output))
  }
  return log
}

/** Whether it has what is shown of it; a notebook may hold anything. */
function isOutput(output: unknown): output is NotebookOutput {
  if (typeof output !== 'object' || output === null || !('output_type' in output)) return false
  const { output_type: kind } = output
  if (kind === 'error') return true
  if (kind === 'stream') return 'text' in output
  const isShown = kind === 'display_data' || kind === 'execute_result'
  return isShown && 'data' in output && typeof output.data === 'object' && output.data !== null
}
