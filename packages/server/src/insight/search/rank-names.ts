import { foundKinds, type FoundItem } from '@coherex/contract'

/** Names that are the words come first, then those that begin with them, then those that have them, then texts. */
export function rankNames(items: FoundItem[], q: string): FoundItem[] {
  const sought = q.trim().toLowerCase()
  const rankOf = ({ kind, title, snippet }: FoundItem) => {
    const name = (kind === 'file' ? title.slice(title.lastIndexOf('/') + 1) : title).toLowerCase()
    if (snippet !== undefined || kind === 'message') return 4
    if (name === sought) return 0
    if (name.startsWith(sought)) return 1
    return name.includes(sought) ? 2 : 3
  }
  return items
    .map((item, at) => ({ item, at, rank: rankOf(item), kind: foundKinds.indexOf(item.kind) }))
    .toSorted((a, b) => a.rank - b.rank || a.kind - b.kind || a.at - b.at)
    .map(({ item }) => item)
}
