import {
  countFences,
  kindOfFence,
  largestArtifact,
  lineOfOutput,
  splitFences,
  type ArtifactExecution,
  type NotebookCell,
  type NotebookFile,
  type ThreadFile,
} from '@coherex/contract'

type CodeCell = Extract<NotebookCell, { cell_type: 'code' }>
type Report = Extract<ArtifactExecution, { runtime: 'browser' }>['report']
type Line = Report['output'][number]

/** What ran before, by the place of its block in the message. */
export interface KeptOutput {
  index: number
  report: Report
}

/** A notebook as a message whose blocks are its code cells, and what their cells show. */
export function fromNotebook(
  notebook: NotebookFile,
  { title, agent, by }: { title: string; agent: string; by: string },
): { file: ThreadFile; kept: KeptOutput[] } {
  const main = notebook.metadata.language_info?.name ?? notebook.metadata.kernelspec?.language ?? 'python'
  const kept: KeptOutput[] = []
  const texts: string[] = []
  let fences = 0
  for (const cell of notebook.cells) {
    const text = cell.cell_type === 'code' ? fenceOf(cell, main) : cell.source
    if (text.trim() === '') continue
    texts.push(text)
    if (cell.cell_type === 'code' && cell.outputs.length > 0 && runs(text))
      kept.push({ index: fences, report: toReport(cell) })
    fences += countFences([text])
  }
  const createdAt = new Date().toISOString()
  const message = (id: string, role: 'user' | 'assistant', said: string[]) => ({
    ...{ id, parentId: role === 'user' ? null : 'ask', role, createdAt, createdBy: by },
    parts: said.map((text) => ({ type: 'text' as const, text })),
  })
  return {
    file: {
      ...{ kind: 'coherex-thread', version: 1, agent, title },
      messages: [message('ask', 'user', [`Notebook: ${title}`]), message('cells', 'assistant', texts)],
    } as ThreadFile,
    kept,
  }
}

/** A cell's own language: as editors note it, or as IPython's first line has it. */
function fenceOf({ source, metadata }: CodeCell, main: string): string {
  const noted = metadata.vscode?.languageId ?? ''
  const [first = '', , magic = ''] = /^%%((?:script )?)(\w+)[ \t]*\n/.exec(source) ?? []
  const known = kindOfFence(magic) ? magic : undefined
  const code = known ? source.slice(first.length) : source
  const language = known ?? (/^[\w+-]+$/.test(noted) ? noted : main)
  const title = metadata.title ? ` title="${metadata.title.replace(/["`\n]/g, "'")}"` : ''
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length))
  const mark = '`'.repeat(longest + 1)
  return code.trim() === '' ? '' : `${mark}${language.toLowerCase()}${title}\n${code}\n${mark}`
}

function runs(text: string): boolean {
  const [fence] = splitFences([text])
  return typeof fence === 'object' && fence.kind === 'code' && fence.code.length <= largestArtifact.code
}

function toReport({ outputs }: CodeCell): Report {
  const lines: Line[] = []
  let left: number = largestArtifact.output - 10_000
  let truncated = false
  let error: Report['error']
  for (const output of outputs) {
    if (output.output_type === 'error') {
      const message = `${output.ename}: ${output.evalue}`.slice(0, 10_000)
      error = { kind: 'runtime', message, stack: withoutColours(output.traceback.join('\n')).slice(0, 20_000) }
      continue
    }
    const line = lineOfOutput(output) as Line
    const size = JSON.stringify(line).length
    truncated ||= size > left || lines.length >= largestArtifact.outputLines
    if (truncated) continue
    left -= size
    lines.push(line)
  }
  return { status: error ? 'failed' : 'succeeded', output: lines, truncated, durationMs: 0, ...(error && { error }) }
}

function withoutColours(text: string): string {
  // oxlint-disable-next-line no-control-regex -- escape sequences begin with one
  return text.replace(/\u001B\[[\d;]*m/g, '')
}
