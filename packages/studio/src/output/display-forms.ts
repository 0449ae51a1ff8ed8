/** One way to show something. */
export type DisplayForm =
  | { kind: 'html'; label: string; text: string }
  | { kind: 'image'; label: string; url: string }
  | { kind: 'json'; label: string; value: unknown }
  | { kind: 'markdown'; label: string; text: string }
  | { kind: 'text'; label: string; text: string }

/** What of a MIME bundle can be shown, the richest form first. */
export function displayForms(data: Record<string, unknown>): DisplayForm[] {
  const forms: DisplayForm[] = []
  const text = (mime: string) => (typeof data[mime] === 'string' ? data[mime] : undefined)

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
  for (const kind of ['png', 'jpeg', 'gif', 'webp']) {
    const image = text(`image/${kind}`)?.replace(/\s+/g, '')
    if (image !== undefined && /^[\w+/]+={0,2}$/.test(image)) {
      forms.push({ kind: 'image', label: kind.toUpperCase(), url: `data:image/${kind};base64,${image}` })
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

/** Whether the signs around a formula are there: IPython's objects bring them, its cells of LaTeX do not. */
function isMarked(latex: string): boolean {
  return /^(?:\$|\\[([])/.test(latex)
}
