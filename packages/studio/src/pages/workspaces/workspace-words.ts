import type { Author, FileChange, WorkspaceTemplate, WorkspaceVersion } from '@coherex/contract'
import type { Choice } from '../../ui/field/select.tsx'

export const templateChoices: Choice<WorkspaceTemplate>[] = [
  { value: 'blank', label: 'Blank', hint: 'No files yet' },
  { value: 'typescript-tool', label: 'TypeScript tool', hint: 'A typed function with a check of its own' },
  { value: 'python-tool', label: 'Python tool', hint: 'A function with a check of its own' },
  { value: 'data-notebook', label: 'Data notebook', hint: 'A table, and Python that works on it' },
  { value: 'agent', label: 'Agent with tools', hint: 'A definition, its instructions and its tools' },
  { value: 'sample', label: 'Sample', hint: 'A program in each language, to try things out' },
]

const doors: Record<Author['door'], string> = {
  studio: 'in the studio',
  api: 'over the API',
  cli: 'from the command line',
  mcp: 'over MCP',
  agent: 'by an agent',
  run: 'by a run',
}

/** Who made a version and how, such as `Ada from the command line`. */
export function authorWords({ author, coauthors }: Pick<WorkspaceVersion, 'author' | 'coauthors'>): string {
  const names = [author, ...coauthors].map(({ name }) => name)
  const last = names.pop()
  return `${names.length > 0 ? `${names.join(', ')} and ${last}` : last} ${doors[author.door]}`
}

const changeWords: Record<FileChange['change'], string> = {
  added: 'Added',
  changed: 'Changed',
  deleted: 'Deleted',
  moved: 'Moved',
}

/** A title for a version that came without a message. */
export function changesTitle({ changes, changeCount }: Pick<WorkspaceVersion, 'changes' | 'changeCount'>): string {
  const [first] = changes
  if (!first) return 'No change'
  const what =
    first.change === 'moved' && first.from
      ? `Moved ${first.from} to ${first.path}`
      : `${changeWords[first.change]} ${first.path}`
  return changeCount > 1 ? `${what} and ${changeCount - 1} more` : what
}
