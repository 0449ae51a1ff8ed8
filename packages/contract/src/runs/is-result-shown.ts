import type { Run } from './run.ts'

// those that show the table they come to: as rich output, and as the result for programs to read
const languages = new Set<Run['language']>(['python', 'sql', 'r'])

/** Whether the result of a run is what it showed last, such as a data frame: whoever shows both says it twice. */
export function isResultShown({
  language,
  output,
  result,
  resultText,
}: Pick<Run, 'language' | 'output' | 'result' | 'resultText'>): boolean {
  const isTable = typeof result === 'object' && result !== null && resultText === undefined
  return isTable && languages.has(language) && output.at(-1)?.stream === 'display'
}
