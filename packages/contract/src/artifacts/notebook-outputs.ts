import { isResultShown } from '../runs/is-result-shown.ts'
import { languageFacts, type Language } from '../runs/languages.ts'
import type { OutputLine, Run } from '../runs/run.ts'
import type { NotebookOutput } from './notebook-file.ts'

type OfRun = Pick<Run, 'language' | 'output' | 'result' | 'resultText' | 'error'>
type Streamed = Extract<NotebookOutput, { output_type: 'stream' }>

const kernels: Record<string, string> = { python: 'python3', r: 'ir' }

/** The `kernelspec` of a notebook in a language. */
export function kernelOf(language: string) {
  const name = languageFacts[language as Language]?.name ?? language
  return { name: kernels[language] ?? language, display_name: language === 'python' ? 'Python 3' : name, language }
}

/** What came of a run, as a notebook keeps it. */
export function outputsOfRun(run: OfRun, number: number | null): NotebookOutput[] {
  const outputs: NotebookOutput[] = []
  for (const line of run.output) {
    if (line.stream === 'display') {
      outputs.push({ output_type: 'display_data', data: toBundle(line.data), metadata: {} })
      continue
    }
    const isProcess = line.stream === 'stdout' || line.stream === 'stderr'
    const name = ['stderr', 'warn', 'error'].includes(line.stream) ? 'stderr' : 'stdout'
    const text = isProcess ? line.text : `${line.text}\n`
    const last = outputs.at(-1)
    if (last?.output_type === 'stream' && last.name === name) last.text += text
    else outputs.push({ output_type: 'stream', name, text } satisfies Streamed)
  }
  const { result, resultText, error } = run
  if ((result !== undefined || resultText !== undefined) && !isResultShown(run)) {
    const isRich = typeof result === 'object' && result !== null
    const data = {
      'text/plain': resultText ?? (JSON.stringify(result, null, 2) as string),
      ...(isRich && { 'application/json': result }),
    }
    outputs.push({ output_type: 'execute_result', execution_count: number, data: toBundle(data), metadata: {} })
  }
  if (error) {
    const [, ename = error.kind, evalue = error.message] = /^(\w+): ([\s\S]*)$/.exec(error.message) ?? []
    outputs.push({ output_type: 'error', ename, evalue, traceback: (error.stack ?? error.message).split('\n') })
  }
  return outputs
}

/** Only JSON may be other than text. */
function toBundle(data: Record<string, unknown>) {
  const entries = Object.entries(data).map(([mime, value]) => {
    const isText = typeof value === 'string' || /^application\/(?:.*\+)?json$/.test(mime)
    return [mime, isText ? value : JSON.stringify(value)]
  })
  return Object.fromEntries(entries) as Extract<NotebookOutput, { output_type: 'display_data' }>['data']
}

/** An output of a notebook as a line of a run. */
export function lineOfOutput(output: Exclude<NotebookOutput, { output_type: 'error' }>): OutputLine {
  if (output.output_type === 'stream')
    return { at: 0, stream: output.name === 'stderr' ? 'stderr' : 'stdout', text: output.text }
  // texts come as lines too
  const data = Object.entries(output.data).map(([mime, value]) => {
    const isLines = Array.isArray(value) && value.every((one) => typeof one === 'string')
    return [mime, isLines && !mime.endsWith('json') ? value.join('') : value]
  })
  return { at: 0, stream: 'display', data: Object.fromEntries(data) }
}
