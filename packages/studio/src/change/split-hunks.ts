/** Each hunk of the unified diff of one file, as a diff of its own. */
export function splitHunks(diff: string): string[] {
  const hunks: string[] = []
  let [oldLeft, newLeft] = [0, 0]
  for (const line of diff.split('\n')) {
    // what is in a hunk may look like the beginning of one
    const head = oldLeft + newLeft > 0 ? null : /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(line)
    if (head) {
      ;[oldLeft, newLeft] = [Number(head[1] ?? 1), Number(head[2] ?? 1)]
      hunks.push(`${line}\n`)
      continue
    }
    if (hunks.length === 0) continue
    const isNote = line.startsWith('\\')
    if (oldLeft + newLeft === 0 && !isNote) continue
    if (!line.startsWith('+') && !isNote) oldLeft--
    if (!line.startsWith('-') && !isNote) newLeft--
    hunks[hunks.length - 1] += `${line}\n`
  }
  return hunks
}
