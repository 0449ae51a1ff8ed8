/** Where tests of a file stand, as its language has it. */
export function testPathOf(path: string): string {
  const slash = path.lastIndexOf('/') + 1
  const [folder, name] = [path.slice(0, slash), path.slice(slash)]
  const dot = name.lastIndexOf('.')
  const [stem, ending] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, '']
  switch (ending) {
    case '.py':
      return `${folder}test_${name}`
    case '.go':
    case '.rb':
      return `${folder}${stem}_test${ending}`
    case '.r':
    case '.R':
      return `${folder}test-${name}`
    default:
      return `${folder}${stem}.test${ending}`
  }
}
