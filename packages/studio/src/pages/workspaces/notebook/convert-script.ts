import { kernelOf, type Language } from '@coherex/contract'
import { newCell, type CellKind, type NotebookText, type TextCell } from './notebook-text.ts'

const comments: Partial<Record<Language, string>> = { javascript: '//', typescript: '//', sql: '--' }
const commentOf = (language: Language) => comments[language] ?? '#'
// IPython's own lines are no Python: a script has them as comments
const magic = /^(\s*)([%!])/
const commentedMagic = /^(\s*)# ([%!](?!%))/

/** A notebook as a script whose cells begin with `# %%`, as Jupytext, VS Code and Spyder write them. */
export function toScript({ cells }: Pick<NotebookText, 'cells'>, language: Language): string {
  const comment = commentOf(language)
  const parts = cells.map((cell) => {
    const lines = cell.source.split('\n')
    if (cell.kind === 'code')
      return [`${comment} %%${titleOf(cell)}`, ...lines.map((line) => hideMagic(line, language))]
    return [`${comment} %% [${cell.kind}]`, ...lines.map((line) => `${comment} ${line}`.trimEnd())]
  })
  return `${parts.map((lines) => lines.join('\n').trimEnd()).join('\n\n')}\n`
}

function titleOf({ title }: TextCell): string {
  return title === undefined ? '' : ` ${title.replace(/\s+/g, ' ')}`
}

function hideMagic(line: string, language: Language): string {
  return language === 'python' ? line.replace(magic, '$1# $2') : line
}

/** A script with cells as a notebook of nbformat 4.5; one without has a single cell. */
export function toNotebook(script: string, language: Language): string {
  const comment = commentOf(language)
  const mark = new RegExp(`^${comment}\\s*%%[ \\t]*(?:\\[(markdown|md|raw)\\])?[ \\t]*(.*)$`)
  const cells: { kind: CellKind; title: string; lines: string[] }[] = [{ kind: 'code', title: '', lines: [] }]
  for (const line of script.replaceAll('\r\n', '\n').split('\n')) {
    const found = mark.exec(line)
    if (!found) cells.at(-1)?.lines.push(line)
    else {
      const kind = found[1] === undefined ? 'code' : found[1] === 'raw' ? 'raw' : 'markdown'
      cells.push({ kind, title: found[2]?.trim() ?? '', lines: [] })
    }
  }
  const [lead, ...rest] = cells
  const isLed = lead?.lines.some((line) => line.trim() !== '')
  const { name, display_name: displayName } = kernelOf(language)
  const notebook = {
    cells: (isLed ? cells : rest).map(({ kind, title, lines }) => {
      const text =
        kind === 'code' ? lines.map((line) => showMagic(line, language)) : lines.map((line) => bare(line, comment))
      const made = newCell({ kind, source: trim(text) }, 5)
      return title === '' ? made : { ...made, metadata: { title } }
    }),
    metadata: { kernelspec: { display_name: displayName, language, name }, language_info: { name: language } },
    nbformat: 4,
    nbformat_minor: 5,
  }
  return `${JSON.stringify(notebook, null, 1)}\n`
}

function showMagic(line: string, language: Language): string {
  return language === 'python' ? line.replace(commentedMagic, '$1$2') : line
}

function bare(line: string, comment: string): string {
  return line.startsWith(comment) ? line.slice(comment.length).replace(/^ /, '') : line
}

/** Without empty lines before and after. */
function trim(lines: readonly string[]): string {
  return lines
    .join('\n')
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd()
}
