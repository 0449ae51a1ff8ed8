import { sql, type SQL } from 'drizzle-orm'

// as it is stored; longer output would be read as a whole for each row
const mostBytes = 65_536

/** Whether a row of `run` printed these words. */
export function hasPrinted(words: string): SQL {
  const pattern = `%${words.replace(/[\\%_]/g, '\\$&')}%`
  return sql`(pg_column_size(run.output) <= ${mostBytes} AND EXISTS (
    SELECT 1 FROM json_array_elements(run.output) AS line WHERE line->>'text' ILIKE ${pattern}))`
}
