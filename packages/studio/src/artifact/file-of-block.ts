import { languageFacts, type FoundFence, type Language } from '@coherex/contract'

const endings: Record<FoundFence['kind'], string> = {
  ...{ code: '.txt', html: '.html', react: '.jsx', svg: '.svg', mermaid: '.mmd', vega: '.vl.json', markdown: '.md' },
}

/** What a block is called as a file: its title where that is the name of one, or a name made of it. */
export function fileOfBlock({ title, kind, language }: Pick<FoundFence, 'title' | 'kind' | 'language'>): string {
  if (title !== null && /^[\w-][\w.-]*\.[a-z]\w*$/i.test(title)) return title
  const name = (title ?? '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60)
  const own = Object.hasOwn(languageFacts, language) ? languageFacts[language as Language].extensions[0] : undefined
  return `${name || 'block'}${kind === 'react' && language === 'tsx' ? '.tsx' : (own ?? endings[kind])}`
}
