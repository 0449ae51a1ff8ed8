import type { OutputLine, Run } from '@coherex/contract'
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server'
import { z } from 'zod'

const mostText = 200_000
const mostImages = 10
const mostImageText = 5_000_000
export const mostStructuredBytes = 1_000_000

const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const

/** A run as a client hears of it: what it printed, its pictures, its result, and why it failed. */
export function tellRun(run: Run): CallToolResult {
  const { error, files, result, resultText } = run
  const printed = run.output.map(toText).join('')
  const text = [
    printed,
    ...(result === undefined ? [] : [`Result: ${resultText ?? JSON.stringify(result)}`]),
    ...(error ? [tellFailure(run)] : []),
    ...(files.length > 0 ? [`Files: ${files.map(({ path }) => path).join(', ')}`] : []),
    ...(run.truncated ? ['The output was cut at its limit.'] : []),
  ]
  return {
    content: [toTextBlock(text.filter(Boolean).join('\n') || 'It ran, and printed nothing.'), ...imagesOf(run)],
    ...(run.status === 'succeeded' ? {} : { isError: true }),
    _meta: metaOf(run),
  }
}

/** A run of code as programs read it. */
export const toldCode = z.object({
  runId: z.string(),
  status: z.string(),
  output: z.string().describe('What it printed, cut at 200,000 characters'),
  result: z.unknown().optional().describe('Left out where it is larger than 1 MB'),
  error: z.object({ kind: z.string(), message: z.string(), line: z.number().optional() }).optional(),
  files: z.array(z.string()).describe('Files that it left'),
})

/** The same run for models and for programs. */
export function tellCode(run: Run): CallToolResult {
  const { id, status, output, result, error, files } = run
  const isSmall = result !== undefined && JSON.stringify(result).length <= mostStructuredBytes
  return {
    ...tellRun(run),
    structuredContent: {
      ...{ runId: id, status, output: toTextBlock(output.map(toText).join('')).text },
      ...(isSmall && { result }),
      ...(error && { error: { kind: error.kind, message: error.message, ...(error.line && { line: error.line }) } }),
      files: files.map(({ path }) => path),
    },
  }
}

/** Why a run did not succeed. */
function tellFailure({ error, status }: Run): string {
  if (!error) return `The run ended as ${status}.`
  const where = error.line === undefined ? '' : ` at line ${error.line}`
  const summary = error.summary ? `${error.summary}.\n` : ''
  return `${summary}Error (${error.kind})${where}: ${error.message}${error.stack ? `\n${error.stack}` : ''}`
}

/** Which run it was: people find it in the studio by that id. */
export function metaOf({ id, durationMs }: Run): Record<string, unknown> {
  return { 'coherex/runId': id, 'coherex/durationMs': durationMs }
}

export function imagesOf({ output }: Run): ContentBlock[] {
  const blocks: ContentBlock[] = []
  let left = mostImageText
  let leftOut = 0
  for (const line of output) {
    const found = line.stream === 'display' ? toImage(line.data) : undefined
    if (!found) continue
    const fits = blocks.length < mostImages && found.data.length <= left
    if (fits) blocks.push({ type: 'image', ...found })
    else leftOut++
    left -= fits ? found.data.length : 0
  }
  return leftOut > 0 ? [...blocks, toTextBlock(`${leftOut} more images are with the run.`)] : blocks
}

export function toTextBlock(text: string): ContentBlock & { type: 'text' } {
  if (text.length <= mostText) return { type: 'text', text }
  const note = `\n… cut: ${text.length - mostText} of ${text.length} characters were left out. The run has all of them.`
  return { type: 'text', text: text.slice(0, mostText).toWellFormed() + note }
}

export function toText(line: OutputLine): string {
  // what programs print comes in pieces; what a console says are lines
  if (line.stream === 'stdout' || line.stream === 'stderr') return line.text
  if (line.stream !== 'display') return line.text.endsWith('\n') ? line.text : `${line.text}\n`
  const plain = line.data['text/plain']
  if (typeof plain === 'string') return `${plain}\n`
  return toImage(line.data) ? '' : `[shown in the studio: ${Object.keys(line.data).join(', ')}]\n`
}

function toImage(data: Record<string, unknown>): { data: string; mimeType: string } | undefined {
  const mimeType = images.find((mime) => typeof data[mime] === 'string')
  return mimeType && { data: String(data[mimeType]).replaceAll(/\s/g, ''), mimeType }
}
