import type { SelectedLines } from '../../editor/code-editor.tsx'
import { lineWords } from './line-words.ts'

/** What the author of a message looks at. */
interface Place {
  openFile?: string | undefined
  selected?: SelectedLines | undefined
  /** Files of the workspace that the message names with `@`. */
  mentioned?: readonly string[]
}

const mostSelected = 8_000

/** A message that says what its author looks at, in words that every reader understands. */
export function withPlace(text: string, { openFile, selected, mentioned = [] }: Place): string {
  const told = [text]
  if (mentioned.length > 0) {
    told.push(`(Mentioned files, to be read: ${mentioned.map((path) => `\`${path}\``).join(', ')})`)
  }
  if (openFile !== undefined)
    told.push(`(Open file: \`${openFile}\`${selected ? `, ${lineWords(selected)} selected:` : ''})`)
  if (openFile !== undefined && selected) told.push(fenced(selected.text))
  return told.join('\n\n')
}

function fenced(text: string): string {
  const isCut = text.length > mostSelected
  const shown = isCut ? `${text.slice(0, mostSelected)}\n… (cut: read the file for the rest)` : text
  // longer than every fence inside, so that the selection cannot end it
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([run]) => run.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}\n${shown}\n${fence}`
}
