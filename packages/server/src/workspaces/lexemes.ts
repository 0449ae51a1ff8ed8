import { sql, type SQL } from 'drizzle-orm'

// a file's first words are enough to find it by
const longestText = 50_000
const mostLexemes = 5000

/** Words of a text or of a search, as both are compared: letters and digits in lower case. */
export function toLexemes(text: string): string[] {
  const words = text
    .slice(0, longestText)
    .toLowerCase()
    .matchAll(/[\p{L}\p{N}]{1,64}/gu)
  const lexemes = new Set<string>()
  for (const [word] of words) if (lexemes.add(word).size === mostLexemes) break
  return [...lexemes]
}

/** Value of the column `lexemes` for a text. */
export function lexemesSql(text: string): SQL {
  return sql`array_to_tsvector(${sql.param(toLexemes(text))}::text[])`
}
