import {
  kernelOf,
  outputsOfRun,
  splitFences,
  type FoundFence,
  type NotebookCell,
  type NotebookFile,
  type Run,
  type Thread,
} from '@coherex/contract'

/** A block of a message as it is now. */
export interface BlockState {
  code: string
  run: Run | undefined
}

type Cell = NotebookCell & { language?: string }

/** The branch of a conversation as a notebook (nbformat 4.5): what is said as Markdown, code blocks as cells with what came of them. */
export function toNotebook(
  { title, messages }: Pick<Thread, 'title' | 'messages'>,
  stateOf: (messageId: string, index: number) => BlockState | undefined,
): NotebookFile {
  let count = 0
  const cells: Cell[] = [said(`# ${title || 'Conversation'}`)]
  for (const { id, role, parts, createdBy } of messages) {
    if (role === 'system') continue
    const texts = parts.flatMap((part) => (part.type === 'text' ? String(part['text']) : []))
    const pieces = splitFences(texts)
    if (pieces.length > 0) cells.push(said(`**${createdBy.name}**`))
    for (const piece of pieces) {
      if (typeof piece === 'string') cells.push(said(piece.trim()))
      else {
        const state = stateOf(id, piece.index) ?? { code: piece.code, run: undefined }
        cells.push(toCell(piece, state, state.run && piece.kind === 'code' ? ++count : null))
      }
    }
  }
  return toFile(cells)
}

/** One block as a notebook. */
export function blockToNotebook(
  block: Pick<FoundFence, 'kind' | 'language' | 'title'>,
  state: BlockState,
): NotebookFile {
  return toFile([toCell(block, state, state.run ? 1 : null)])
}

function toCell(
  { kind, language, title }: Pick<FoundFence, 'kind' | 'language' | 'title'>,
  { code, run }: BlockState,
  number: number | null,
): Cell {
  if (kind !== 'code') return said(fenced(code, language))
  return {
    ...{ cell_type: 'code', source: code, execution_count: number, language },
    metadata: title === null ? {} : { title },
    outputs: run ? outputsOfRun(run, number) : [],
  }
}

function toFile(cells: readonly Cell[]): NotebookFile {
  const main = mostUsed(cells)
  return {
    nbformat: 4,
    nbformat_minor: 5,
    metadata: { kernelspec: kernelOf(main), language_info: { name: main } },
    cells: cells.map(({ language, ...cell }, at): NotebookCell => {
      // a notebook has one language: editors that know more read this
      const other = language === undefined || language === main ? {} : { vscode: { languageId: language } }
      return { ...cell, id: `cell-${at + 1}`, metadata: { ...cell.metadata, ...other } }
    }),
  }
}

const said = (source: string): Cell => ({ cell_type: 'markdown', metadata: {}, source })

function fenced(code: string, language: string): string {
  const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}${language}\n${code}\n${mark}`
}

function mostUsed(cells: readonly Cell[]): string {
  const counts = new Map<string, number>()
  for (const { language } of cells) if (language) counts.set(language, (counts.get(language) ?? 0) + 1)
  return [...counts].toSorted((a, b) => b[1] - a[1])[0]?.[0] ?? 'python'
}
