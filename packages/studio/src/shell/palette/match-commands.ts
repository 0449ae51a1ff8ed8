interface Searchable {
  label: string
  group: string
  /** Other words people look for. */
  words?: string
}

/** Commands in which every typed word starts a word, best first; order within a rank stays. */
export function matchCommands<Item extends Searchable>(commands: readonly Item[], text: string): Item[] {
  const typed = wordsOf(text)
  if (typed.length === 0) return [...commands]
  return commands
    .map((command) => ({ command, rank: rankOf(command, typed) }))
    .filter(({ rank }) => rank > 0)
    .sort((a, b) => b.rank - a.rank)
    .map(({ command }) => command)
}

function rankOf({ label, group, words = '' }: Searchable, typed: readonly string[]): number {
  const inLabel = wordsOf(label)
  if (typed.every((word) => inLabel.some((own) => own.startsWith(word)))) {
    return inLabel[0]?.startsWith(typed[0] ?? '') ? 3 : 2
  }
  const anywhere = [...inLabel, ...wordsOf(`${group} ${words}`)]
  return typed.every((word) => anywhere.some((own) => own.startsWith(word))) ? 1 : 0
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
}
