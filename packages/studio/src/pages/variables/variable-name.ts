/** What is wrong with the name of a variable; undefined when nothing is. */
export function variableNameProblem(name: string): string | undefined {
  if (!/^[A-Za-z_]/.test(name)) return 'Start with a letter or _.'
  if (!/^\w*$/.test(name)) return 'Use letters, digits and _ only.'
  return name.length > 128 ? 'Use at most 128 characters.' : undefined
}
