import type { NotebookOutput } from '@coherex/contract'

// a text that is edited together has a megabyte at the most, with all cells and outputs
const mostOfCell = 200_000
const mostOfStream = 50_000

/** Outputs as small as a file that several edit needs them: long texts are cut, and what does not fit is left out with a word. */
export function boundOutputs(outputs: readonly NotebookOutput[], room: number): NotebookOutput[] {
  const kept: NotebookOutput[] = []
  let left = Math.min(mostOfCell, room)
  let omitted = 0
  for (const output of outputs.map(cutText)) {
    const size = JSON.stringify(output).length
    if (size > left) omitted++
    else {
      left -= size
      kept.push(output)
    }
  }
  if (omitted > 0) {
    const text = `[${omitted} ${omitted === 1 ? 'output is' : 'outputs are'} too large for the notebook and not kept]\n`
    kept.push({ output_type: 'stream', name: 'stderr', text })
  }
  return kept
}

function cutText(output: NotebookOutput): NotebookOutput {
  if (output.output_type === 'error') return { ...output, traceback: output.traceback.slice(-100) }
  if (output.output_type !== 'stream' || output.text.length <= mostOfStream) return output
  const cut = output.text.length - mostOfStream
  return { ...output, text: `${output.text.slice(0, mostOfStream).toWellFormed()}\n[${cut} more characters]\n` }
}
