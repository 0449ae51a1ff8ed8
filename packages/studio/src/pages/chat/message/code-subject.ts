const comment = /^(?:#+|\/\/+|--|\/\*+)\s*(\S.*?)\s*(?:\*\/)?$/
// what most programs begin with says nothing about them
const preamble =
  /^(?:import\b|from\s+\S+\s+import\b|#!|['"]use strict['"]|(?:const|var|let)\b.*=\s*require\(|set\s+-|cd\s|export\s+\w+=)/

/** The line of a program that says most about it: its first comment, or the first line that does something. */
export function codeSubject(code: string): string {
  const lines = code.split('\n', 40).map((line) => line.trim())
  const first = lines.find((line) => line !== '' && !preamble.test(line))
  if (first === undefined) return lines.find((line) => line !== '') ?? ''
  return comment.exec(first)?.[1] ?? first
}
