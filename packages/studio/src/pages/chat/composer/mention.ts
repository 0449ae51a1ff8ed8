/** The `@` that is being typed before the cursor, and the letters after it; undefined when there is none. */
export function mentionAt(text: string, cursor: number): { from: number; typed: string } | undefined {
  const [whole, typed = ''] = /(?<![\p{L}\p{N}_.])@([^\s@"]*)$/u.exec(text.slice(0, cursor)) ?? []
  return whole === undefined ? undefined : { from: cursor - whole.length, typed }
}

/** A path as it stands in a message. */
export const mentionOf = (path: string): string => (/[\s"]/.test(path) ? `@"${path}"` : `@${path}`)

/** Those of the files that a message names, in the order of the files. */
export function findMentioned(text: string, paths: readonly string[]): string[] {
  const named = new Set<string>()
  for (const [, quoted, plain] of text.matchAll(/(?<![\p{L}\p{N}_.])@(?:"([^"\n]+)"|([^\s@"]+))/gu)) {
    named.add(quoted ?? plain ?? '')
    // the sign that ends a sentence is no part of the name
    if (plain) named.add(plain.replace(/[.,:;!?)\]]+$/, ''))
  }
  return paths.filter((path) => named.has(path))
}
