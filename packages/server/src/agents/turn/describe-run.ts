import type { OutputLine, Run, RunError } from '@coherex/contract'
import type { ToolOutput } from './tool.ts'

/** A run in words for a model, with its rich output beside them for people. */
export function describeRun(run: Run): ToolOutput {
  const lines = run.output.map(lineToText).filter((line) => line !== '')
  const displays = run.output.flatMap((line) => (line.stream === 'display' ? [line.data] : []))
  const result = run.result === undefined ? [] : [`Result: ${run.resultText ?? JSON.stringify(run.result)}`]
  const error = run.error ? [describeError(run)] : []
  const files = run.files.length > 0 ? [`Files: ${run.files.map(({ path }) => path).join(', ')}`] : []
  const text = [lines.join(''), ...result, ...error, ...files].filter(Boolean).join('\n')
  return {
    text: text || 'It ran, and printed nothing.',
    runId: run.id,
    ...(displays.length > 0 && { displays }),
    ...(run.error && { error: forPeople(run.error) }),
  }
}

function lineToText(line: OutputLine): string {
  // what programs print comes in pieces; what a console says are lines
  if (line.stream === 'stdout' || line.stream === 'stderr') return line.text
  if (line.stream !== 'display') return line.text.endsWith('\n') ? line.text : `${line.text}\n`
  const plain = line.data['text/plain']
  if (typeof plain === 'string') return `${plain}\n`
  // the person sees it; the model is told that it is there
  return `[shown to the person: ${Object.keys(line.data).join(', ')}]\n`
}

function describeError({ error }: Run): string {
  if (!error) return ''
  const where = error.line === undefined ? '' : ` at line ${error.line}`
  const trace = `Error (${error.kind})${where}: ${error.message}${error.stack ? `\n${error.stack}` : ''}`
  const fixes = (error.fixes ?? []).map(({ label }) => label).join('; ')
  // the model cannot press them; it can ask the person, or go another way
  const help = fixes && `\nThe person sees these fixes beside the call: ${fixes}.`
  return `${error.summary ? `${error.summary}.\n` : ''}${trace}${help}`
}

function forPeople({ message, line, summary, fixes }: RunError): ToolOutput['error'] {
  return {
    message,
    ...(line && { line }),
    ...(summary !== undefined && { summary }),
    ...(fixes && { fixes }),
  }
}
