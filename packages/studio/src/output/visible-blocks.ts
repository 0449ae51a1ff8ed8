interface Viewport {
  top: number
  height: number
}

export interface VisibleBlocks {
  first: number
  /** The one after the last. */
  end: number
  /** Pixels of what is left out. */
  before: number
  after: number
}

const overscanPx = 800

/** Which blocks are in sight or nearly so, and how much room the others take. */
export function visibleBlocks(heights: readonly number[], { top, height }: Viewport): VisibleBlocks {
  const from = top - overscanPx
  const to = top + height + overscanPx
  let position = 0
  let first = -1
  let before = 0
  let end = heights.length
  let shownUntil = 0
  for (const [index, own] of heights.entries()) {
    if (first < 0 && position + own > from) {
      first = index
      before = position
    }
    if (first >= 0 && end === heights.length && position >= to && index > first) {
      end = index
      shownUntil = position
    }
    position += own
  }
  if (first < 0) {
    // scrolled past the end, as when the output was replaced by a shorter one
    first = Math.max(0, heights.length - 1)
    before = position - (heights[first] ?? 0)
  }
  return { first, end, before, after: end === heights.length ? 0 : position - shownUntil }
}

const rowPx = 20

/** How high text is likely to be before it was drawn: long lines wrap. */
export function estimateHeight(rows: readonly { length: number }[], columns: number): number {
  return rows.reduce((sum, { length }) => sum + rowPx * Math.max(1, Math.ceil(length / Math.max(20, columns))), 0)
}
