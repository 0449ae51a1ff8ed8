/** What is wrong with the name of a secret; undefined when nothing is. */
export function secretNameProblem(name: string): string | undefined {
  if (!/^[A-Z]/.test(name)) return 'Start with a capital letter.'
  if (!/^[A-Z0-9_]*$/.test(name)) return 'Use capital letters, digits and _ only.'
  return name.length > 64 ? 'Use at most 64 characters.' : undefined
}
