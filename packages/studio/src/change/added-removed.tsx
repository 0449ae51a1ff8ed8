/** How many lines came and went: `+12 −3`. */
export function AddedRemoved({ added, removed }: { added: number; removed: number }) {
  if (added + removed === 0) return null
  return (
    <span
      role="img"
      aria-label={`${added} added, ${removed} removed lines`}
      className="flex shrink-0 gap-1.5 text-small tabular"
    >
      {added > 0 && <span className="text-green">+{added}</span>}
      {removed > 0 && <span className="text-red">−{removed}</span>}
    </span>
  )
}
