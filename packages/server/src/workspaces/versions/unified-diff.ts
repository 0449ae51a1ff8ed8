import { createTwoFilesPatch } from 'diff'

export interface DiffSides {
  path: string
  from?: string | undefined
  /** Undefined where the file was not there. */
  before: string | undefined
  after: string | undefined
}

const mostEdits = 5000
const diffMs = 100

/** A unified diff as git writes it. Texts with little in common are shown as replaced. */
export function unifiedDiff({ path, from = path, before, after }: DiffSides): string {
  if (before === after) return ''
  const names = [
    before === undefined ? '/dev/null' : `a/${from}`,
    after === undefined ? '/dev/null' : `b/${path}`,
  ] as const
  const bounds = { context: 3, maxEditLength: mostEdits, timeout: diffMs }
  const patch = createTwoFilesPatch(names[0], names[1], before ?? '', after ?? '', undefined, undefined, bounds)
  // its first line is a rule that git does not write
  if (patch !== undefined) return patch.replace(/^=+\n/, '')
  return `--- ${names[0]}\n+++ ${names[1]}\n${replacement(before ?? '', after ?? '')}`
}

function replacement(before: string, after: string): string {
  const [removed, added] = [before.split('\n'), after.split('\n')]
  const head = `@@ -1,${removed.length} +1,${added.length} @@`
  return [head, ...removed.map((line) => `-${line}`), ...added.map((line) => `+${line}`), ''].join('\n')
}
