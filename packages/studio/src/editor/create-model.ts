import { monaco } from './monaco.ts'

const languageOf: Record<string, string> = {
  js: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  jsx: 'javascript',
  ts: 'typescript',
  mts: 'typescript',
  tsx: 'typescript',
  py: 'python',
  sh: 'shell',
  bash: 'shell',
  sql: 'sql',
  R: 'r',
  r: 'r',
  jl: 'julia',
  rb: 'ruby',
  go: 'go',
  c: 'c',
  h: 'c',
  cpp: 'cpp',
  cc: 'cpp',
  hpp: 'cpp',
  rs: 'rust',
  md: 'markdown',
  yml: 'yaml',
  yaml: 'yaml',
  json: 'json',
  css: 'css',
  html: 'html',
  htm: 'html',
}

/** A text as the editor holds it, with the language of its name. */
export function createModel(folder: string, path: string, text: string): monaco.editor.ITextModel {
  const language = languageOf[path.split('.').at(-1) ?? ''] ?? 'plaintext'
  const uri = monaco.Uri.from({ scheme: 'file', path: `/${folder}/${path}` })
  // a page that was left in a hurry may have left its model
  monaco.editor.getModel(uri)?.dispose()
  const model = monaco.editor.createModel(text, language, uri)
  model.updateOptions({
    tabSize: language === 'python' ? 4 : 2,
    insertSpaces: true,
    bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
  })
  return model
}
