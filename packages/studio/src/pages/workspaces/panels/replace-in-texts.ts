/** What replacing would do to one file. */
export interface Replacement {
  path: string
  after: string
  /** How many places. */
  count: number
  /** For the view of changes. */
  diff: string
}

const context = 2

/** Replaces in each line of each text. Undefined groups of a pattern are empty, as everywhere. */
export function replaceInTexts(
  texts: Iterable<readonly [string, string]>,
  find: RegExp,
  { replacement, isPattern }: { replacement: string; isPattern: boolean },
): Replacement[] {
  const every = new RegExp(find.source, find.flags.includes('g') ? find.flags : `${find.flags}g`)
  // without a pattern a dollar is a dollar; with one, the finder's own group comes first
  const by = isPattern ? replacement.replaceAll(/\$(\d)/g, (_, digit: string) => `$${Number(digit) + 1}`) : undefined
  const found: Replacement[] = []
  for (const [path, text] of texts) {
    const before = text.split('\n')
    let count = 0
    const after = before.map((line) => {
      count += [...line.matchAll(every)].length
      return by === undefined ? line.replaceAll(every, () => replacement) : line.replaceAll(every, by)
    })
    if (count > 0) found.push({ path, after: after.join('\n'), count, diff: diffOf(before, after) })
  }
  return found
}

/** Lines that stayed in number, so that each change is found where it was. */
function diffOf(before: readonly string[], after: readonly string[]): string {
  const changed = before.flatMap((line, index) => (line === after[index] ? [] : [index]))
  const hunks: { from: number; to: number }[] = []
  for (const at of changed) {
    const last = hunks.at(-1)
    const [from, to] = [Math.max(0, at - context), Math.min(before.length - 1, at + context)]
    if (last && from <= last.to + 1) last.to = to
    else hunks.push({ from, to })
  }
  return hunks.map((hunk) => hunkOf(before, after, hunk)).join('')
}

function hunkOf(
  before: readonly string[],
  after: readonly string[],
  { from, to }: { from: number; to: number },
): string {
  let lines = ''
  let added = 0
  for (let at = from; at <= to; at++) {
    const [old = '', fresh = ''] = [before[at], after[at]]
    if (old === fresh) {
      lines += ` ${old}\n`
      added++
      continue
    }
    const freshLines = fresh.split('\n')
    lines += `-${old}\n${freshLines.map((line) => `+${line}\n`).join('')}`
    added += freshLines.length
  }
  return `@@ -${from + 1},${to - from + 1} +${from + 1},${added} @@\n${lines}`
}
