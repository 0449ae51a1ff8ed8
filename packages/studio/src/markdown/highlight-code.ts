import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore, type LanguageInput } from 'shiki/core'
import { createJavaScriptRegexEngine } from 'shiki/engine/javascript'

export interface CodeToken {
  content: string
  color?: string
}

const theme = createCssVariablesTheme({ name: 'coherex', variablePrefix: '--code-', fontStyle: false })

const grammars: Record<string, LanguageInput> = {
  bash: () => import('shiki/dist/langs/bash.mjs'),
  c: () => import('shiki/dist/langs/c.mjs'),
  css: () => import('shiki/dist/langs/css.mjs'),
  diff: () => import('shiki/dist/langs/diff.mjs'),
  go: () => import('shiki/dist/langs/go.mjs'),
  html: () => import('shiki/dist/langs/html.mjs'),
  javascript: () => import('shiki/dist/langs/javascript.mjs'),
  json: () => import('shiki/dist/langs/json.mjs'),
  python: () => import('shiki/dist/langs/python.mjs'),
  r: () => import('shiki/dist/langs/r.mjs'),
  rust: () => import('shiki/dist/langs/rust.mjs'),
  sql: () => import('shiki/dist/langs/sql.mjs'),
  typescript: () => import('shiki/dist/langs/typescript.mjs'),
  yaml: () => import('shiki/dist/langs/yaml.mjs'),
}

const otherNames: Record<string, string> = {
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  py: 'python',
  rs: 'rust',
  sh: 'bash',
  shell: 'bash',
  ts: 'typescript',
  tsx: 'typescript',
  yml: 'yaml',
}

// what a pattern looks for it seeks in all of the line, from each of its letters
const longestLine = 1_000

let highlighter: Promise<HighlighterCore> | undefined

/** The code in coloured pieces, line by line; undefined for languages we have no colours for. */
export async function highlightCode(text: string, name: string): Promise<CodeToken[][] | undefined> {
  const lower = name.toLowerCase()
  const language = otherNames[lower] ?? lower
  const grammar = Object.hasOwn(grammars, language) ? grammars[language] : undefined
  if (!grammar) return undefined
  highlighter ??= createHighlighterCore({
    themes: [theme],
    langs: [],
    // plain regular expressions: the other engine is WebAssembly, which the CSP refuses
    engine: createJavaScriptRegexEngine({ forgiving: true }),
  })
  const core = await highlighter
  const isNew = !core.getLoadedLanguages().includes(language)
  await core.loadLanguage(grammar)
  const read = () =>
    core.codeToTokensBase(text, { lang: language, theme: 'coherex', tokenizeMaxLineLength: longestLine })
  // the first reading makes the grammar ready, which can take longer than a line may: the rest of it would have no colours
  if (isNew) read()
  return read().map((line) => line.map(({ content, color }) => ({ content, ...(color && { color }) })))
}
