import { languageFacts, languages, type Language } from '../runs/languages.ts'
import { readFence } from './read-fence.ts'

export type ArtifactKind = 'code' | 'html' | 'react' | 'svg' | 'mermaid' | 'vega' | 'markdown'

/** A fence of a message that can be run or shown. */
export interface FoundFence {
  /** Among all closed fences of the message, from 0. */
  index: number
  kind: ArtifactKind
  /** As people call it: a language of ours, or the kind's own. */
  language: string
  title: string | null
  opens: boolean
  code: string
}

const shownKinds: Record<string, ArtifactKind> = {
  html: 'html',
  svg: 'svg',
  mermaid: 'mermaid',
  'vega-lite': 'vega',
  vegalite: 'vega',
  vega: 'vega',
  markdown: 'markdown',
  md: 'markdown',
  jsx: 'react',
  tsx: 'react',
  react: 'react',
}
const otherNames: Record<string, Language> = {
  py: 'python',
  python3: 'python',
  shell: 'bash',
  sqlite: 'sql',
  golang: 'go',
  'c++': 'cpp',
}

/** The same words with what is said of running it: `run`, or `<!-- executable: Load -->`, which also names it. */
export function readMarks(words: string): { language: string; title: string | null; opens: boolean } {
  const { language, title } = readFence(words)
  const named = /<!--\s*executable(?::([^>]*))?-->/.exec(words)
  const opens = named !== null || /\srun(?:\s|$)/.test(words)
  return { language, title: named?.[1]?.trim() || (title ?? null), opens }
}

/** What a fence in this language is; undefined for one that is only text. */
export function kindOfFence(language: string): { kind: ArtifactKind; language: string } | undefined {
  const word = language.toLowerCase()
  const kind = Object.hasOwn(shownKinds, word) ? shownKinds[word] : undefined
  if (kind) return { kind, language: word }
  const known = Object.hasOwn(otherNames, word) ? otherNames[word] : undefined
  const found = known ?? languages.find((one) => one === word || isEnding(one, word))
  // a module is bytes: nobody writes it into a message
  return found && found !== 'wasm' ? { kind: 'code', language: found } : undefined
}

function isEnding(language: Language, word: string): boolean {
  return (languageFacts[language].extensions as readonly string[]).includes(`.${word}`)
}

// nothing in it can be read in two ways: lines may be very long
const opening = /^([\s>]*)(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}|~{3,})([^`]*)$/

/**
 * The fences of a message in order, by its lines alone. Server and studio both count by this, so that an index means the same to both;
 * one that is not closed is not yet there.
 */
export function findFences(texts: readonly string[]): FoundFence[] {
  return splitFences(texts).filter((piece) => typeof piece !== 'string')
}

/** A message as fences that can be run or shown, and what stands between them. */
export function splitFences(texts: readonly string[]): (FoundFence | string)[] {
  return readFences(texts).pieces
}

/** Closed fences of any language: those are what an index counts. */
export function countFences(texts: readonly string[]): number {
  return readFences(texts).count
}

function readFences(texts: readonly string[]): { pieces: (FoundFence | string)[]; count: number } {
  const pieces: (FoundFence | string)[] = []
  let index = 0
  for (const text of texts) {
    let between: string[] = []
    let open: { mark: string; indent: number; words: string; lines: string[]; whole: string[] } | undefined
    const flush = () => {
      if (between.some((line) => line.trim() !== '')) pieces.push(between.join('\n'))
      between = []
    }
    for (const line of text.split(/\r?\n/)) {
      open?.whole.push(line)
      if (!open) {
        const [, , mark = '', words = ''] = opening.exec(line) ?? []
        if (mark) open = { mark, indent: line.indexOf(mark), words, lines: [], whole: [line] }
        else between.push(line)
      } else if (isEnd(line, open.mark)) {
        const { language, title, opens } = readMarks(open.words.trim())
        const kind = kindOfFence(language)
        if (kind) {
          flush()
          pieces.push({ index, ...kind, title, opens, code: open.lines.join('\n') })
        } else between.push(...open.whole)
        index++
        open = undefined
      } else open.lines.push(unindent(line, open.indent))
    }
    if (open) between.push(...open.whole)
    flush()
  }
  return { pieces, count: index }
}

function isEnd(line: string, mark: string): boolean {
  const rest = line.replace(/^[\s>]*/, '').trimEnd()
  return rest.length >= mark.length && rest === (mark[0] ?? '').repeat(rest.length)
}

/** Takes away what a list or a quote puts before each line. */
function unindent(line: string, indent: number): string {
  const before = line.slice(0, indent)
  const own = before.search(/[^\s>]/)
  return line.slice(own < 0 ? before.length : own)
}
