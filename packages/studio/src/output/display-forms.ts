import { readFrame, type Frame } from './frame.ts'

/** One way to show something. */
export type DisplayForm =
  | { kind: 'frame'; label: string; frame: Frame }
  | { kind: 'html'; label: string; text: string }
  | { kind: 'drawing'; label: string; drawing: 'vega' | 'plotly'; code: string }
  | { kind: 'image'; label: string; url: string }
  | { kind: 'sound' | 'film'; label: string; url: string }
  | { kind: 'json'; label: string; value: unknown }
  | { kind: 'markdown'; label: string; text: string }
  | { kind: 'text'; label: string; text: string }

/** What of a MIME bundle can be shown, the richest form first. */
export function displayForms(data: Record<string, unknown>): DisplayForm[] {
  const forms: DisplayForm[] = []
  const text = (mime: string) => (typeof data[mime] === 'string' ? data[mime] : undefined)

  // charts bring HTML as well, which fetches its library from a site that frames cannot reach
  for (const [mime, value] of Object.entries(data)) {
    const drawing = drawingOf(mime)
    if (drawing) forms.push({ ...drawing, kind: 'drawing', code: JSON.stringify(value) })
  }
  const frame = readFrame(data)
  if (frame) forms.push({ kind: 'frame', label: 'Table', frame })
  const html = text('text/html')
  if (html !== undefined) forms.push({ kind: 'html', label: 'HTML', text: html })
  // as an image an SVG runs no script and fetches nothing
  const svg = text('image/svg+xml')
  if (svg !== undefined) {
    forms.push({
      kind: 'image',
      label: 'SVG',
      url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg.toWellFormed())}`,
    })
  }
  for (const [kind, mimes] of Object.entries(media)) {
    for (const mime of mimes) {
      const bytes = text(mime)?.replace(/\s+/g, '')
      if (bytes === undefined || !/^[\w+/]+={0,2}$/.test(bytes)) continue
      const label = mime.replace(/^.*\//, '').toUpperCase()
      forms.push({ kind: kind as keyof typeof media, label, url: `data:${mime};base64,${bytes}` })
    }
  }
  if ('application/json' in data) forms.push({ kind: 'json', label: 'JSON', value: data['application/json'] })
  const latex = text('text/latex')?.trim()
  if (latex) forms.push({ kind: 'markdown', label: 'LaTeX', text: isMarked(latex) ? latex : `$$\n${latex}\n$$` })
  const markdown = text('text/markdown')
  if (markdown !== undefined) forms.push({ kind: 'markdown', label: 'Markdown', text: markdown })
  const plain = text('text/plain')
  if (plain !== undefined) forms.push({ kind: 'text', label: 'Text', text: plain })
  if (forms.length > 0) return forms
  return Object.entries(data).map(([mime, value]) => ({
    kind: 'text',
    label: mime,
    text: typeof value === 'string' ? value : JSON.stringify(value),
  }))
}

const media = {
  image: ['image/png', 'image/jpeg', 'image/gif', 'image/webp'],
  sound: ['audio/wav', 'audio/mpeg', 'audio/ogg'],
  film: ['video/mp4', 'video/webm'],
} as const

function drawingOf(mime: string): { drawing: 'vega' | 'plotly'; label: string } | undefined {
  if (/^application\/vnd\.plotly\.v1\+json$/.test(mime)) return { drawing: 'plotly', label: 'Plotly' }
  const vega = /^application\/vnd\.(vega|vegalite)\.v\d+\+json$/.exec(mime)
  return vega ? { drawing: 'vega', label: vega[1] === 'vega' ? 'Vega' : 'Vega-Lite' } : undefined
}

/** Whether the signs around a formula are there: IPython's objects bring them, its cells of LaTeX do not. */
function isMarked(latex: string): boolean {
  return /^(?:\$|\\[([])/.test(latex)
}
