// CSP decides what is loaded. These elements are taken out because no CSP holds them: they resolve names, open
// connections or lead the frame elsewhere.
const refused = 'script, link, meta, base, iframe, frame, object, embed, form, portal, template, video, audio'
const leading = [
  'href',
  'xlink:href',
  'src',
  'srcset',
  'action',
  'formaction',
  'ping',
  'background',
  'poster',
  'target',
]

const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/** Colours and type of the page around the frame, which cannot see its variables. */
export interface FrameLook {
  text: string
  muted: string
  line: string
  surface: string
  scheme: 'light' | 'dark'
}

/** HTML of a guest as a whole document for a frame without scripts, without an origin and without a network. */
export function frameDocument(html: string, look: FrameLook): string {
  const { text, muted, line, surface, scheme } = look
  return `<!doctype html><html><head>
<meta http-equiv="content-security-policy" content="${policy}">
<meta http-equiv="x-dns-prefetch-control" content="off">
<style>
:root { color-scheme: ${scheme} }
body { margin: 0; padding: 8px 2px; background: ${surface}; color: ${text}; font: 13px/20px 'Inter', system-ui, sans-serif }
table { border-collapse: collapse; border: 0; font-variant-numeric: tabular-nums }
th, td { border: 0; border-bottom: 1px solid ${line}; padding: 3px 10px; text-align: right; white-space: nowrap }
[align=left] { text-align: left }
th { color: ${muted}; font-weight: 500 }
pre, code { font-family: ui-monospace, monospace; font-size: 12px }
img, svg { max-width: 100% }
</style></head><body>${withoutLeads(html)}</body></html>`
}

function withoutLeads(html: string): string {
  // a document made by the parser runs and loads nothing
  const page = new DOMParser().parseFromString(html, 'text/html')
  for (const element of page.querySelectorAll(refused)) element.remove()
  for (const element of page.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes]) {
      const lower = name.toLowerCase()
      const leads = leading.includes(lower) && !value.startsWith('#') && !/^data:image\//i.test(value)
      if (leads && lower === 'href') element.setAttribute('title', value)
      if (leads || lower.startsWith('on')) element.removeAttribute(name)
    }
  }
  const styles = [...page.head.querySelectorAll('style')].map((style) => style.outerHTML).join('')
  return styles + page.body.innerHTML
}

/** A height that likely fits; the frame is opaque to us, so that it cannot be measured. */
export function estimateFrameHeight(html: string): number {
  const rows = html.match(/<tr[\s>]/gi)?.length ?? 0
  const blocks = html.match(/<(?:p|div|li|h[1-6]|br|pre|blockquote)[\s>/]/gi)?.length ?? 0
  const lines = rows > 0 ? rows * 27 + paragraphsAround(html) * 34 : blocks * 28 + Math.ceil(html.length / 120) * 20
  return Math.min(420, Math.max(56, lines + 28))
}

/** What stands before the first table and after the last one, such as how many rows there are. */
function paragraphsAround(html: string): number {
  const first = html.search(/<table/i)
  const last = html.toLowerCase().lastIndexOf('</table>')
  const around = html.slice(0, Math.max(0, first)) + html.slice(Math.max(0, last))
  return around.match(/<(?:p|li|h[1-6]|br|pre|blockquote)[\s>/]/gi)?.length ?? 0
}
