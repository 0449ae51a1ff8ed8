import type { Plugin } from 'prettier'
import { format } from 'prettier/standalone'

export interface FormatRequest {
  id: number
  parser: string
  text: string
}

export type FormatAnswer = { id: number; text: string } | { id: number; message: string }

const estree = () => import('prettier/plugins/estree')
const babel = () => import('prettier/plugins/babel')
const postcss = () => import('prettier/plugins/postcss')
// a text may hold others: a page its styles, prose its examples
const needed: Record<string, (() => Promise<unknown>)[]> = {
  babel: [babel, estree],
  typescript: [() => import('prettier/plugins/typescript'), estree],
  json: [babel, estree],
  css: [postcss],
  scss: [postcss],
  html: [() => import('prettier/plugins/html'), postcss, babel, estree],
  markdown: [() => import('prettier/plugins/markdown'), () => import('prettier/plugins/yaml'), postcss, babel, estree],
  yaml: [() => import('prettier/plugins/yaml')],
}

const scope = globalThis as unknown as {
  onmessage: (event: MessageEvent<FormatRequest>) => void
  postMessage(answer: FormatAnswer): void
}

scope.onmessage = ({ data: { id, parser, text } }) => {
  void formatText(parser, text).then(
    (formatted) => scope.postMessage({ id, text: formatted }),
    (error: unknown) => scope.postMessage({ id, message: (error as Error).message }),
  )
}

async function formatText(parser: string, text: string): Promise<string> {
  const plugins = await Promise.all((needed[parser] ?? []).map((load) => load()))
  return format(text, { parser, plugins: plugins as Plugin[] })
}
