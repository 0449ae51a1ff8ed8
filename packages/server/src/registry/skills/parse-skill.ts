import { CoherexError, isPlainPath, skillLimits, type SkillFrontMatter, type SkillProblem } from '@coherex/contract'
import { readText, sizeOf, type Folder } from '../definition/folder.ts'
import { instructionsPath, parseFrontMatter } from './parse-front-matter.ts'

export interface ParsedSkill {
  /** Absent when something is wrong. */
  frontMatter?: SkillFrontMatter
  /** The instructions below the front matter. */
  body: string
  problems: SkillProblem[]
  warnings: SkillProblem[]
}

const mostProblems = 50

/** A skill from the files of its folder, or everything that is wrong with it and where. */
export function parseSkill(content: Folder, folder?: string): ParsedSkill {
  const problems = checkFiles(content)
  const instructions = content.get(instructionsPath)
  if (!instructions) return { problems, warnings: [], body: '' }
  const text = readText(instructions)
  if (text === undefined || instructions.length > skillLimits.instructionsBytes) {
    const message =
      text === undefined ? 'is no text in UTF-8' : `must be at most ${skillLimits.instructionsBytes / 1000} KB`
    return { problems: [...problems, about(instructionsPath, message)], warnings: [], body: '' }
  }
  const read = parseFrontMatter(text)
  problems.push(...read.problems)
  if (read.frontMatter && folder !== undefined && read.frontMatter.name !== folder) {
    const line = text.split('\n').findIndex((one) => /^['"]?name['"]?\s*:/.test(one)) + 1
    problems.push({
      file: instructionsPath,
      message: `must be "${folder}", as the folder is called`,
      path: 'name',
      line: Math.max(1, line),
      column: 1,
    })
  }
  const isGood = problems.length === 0 && read.frontMatter
  return {
    ...(isGood && { frontMatter: read.frontMatter }),
    body: read.body,
    problems: problems.slice(0, mostProblems),
    warnings: read.warnings.slice(0, mostProblems),
  }
}

/** Throws with every problem when the files are no skill. */
export function requireSkill(content: Folder, folder?: string) {
  const { frontMatter, problems, ...rest } = parseSkill(content, folder)
  if (!frontMatter) throw invalidSkill(problems)
  return { frontMatter, ...rest }
}

function invalidSkill(problems: SkillProblem[]): CoherexError {
  const [first] = problems
  const what = first ? describeProblem(first) : 'its files are not valid'
  return new CoherexError('invalid_input', `The skill is not valid: ${what}`, { details: problems })
}

/** As compilers write it. */
export function describeProblem({ file, line, column, path, message, hint }: SkillProblem): string {
  const where = [file, line, column].filter((part) => part !== undefined && part !== '').join(':')
  const what = [path, message].filter(Boolean).join(' ')
  return `${where ? `${where}: ` : ''}${what}${hint ? ` (${hint})` : ''}`
}

function checkFiles(content: Folder): SkillProblem[] {
  const problems: SkillProblem[] = []
  const { files, fileBytes, bytes, lines, pathLength } = skillLimits
  if (!content.has(instructionsPath)) {
    const other = [...content.keys()].find((path) => path.toLowerCase() === instructionsPath.toLowerCase())
    const hint = other
      ? `Rename ${other}`
      : 'It has front matter with name and description, and below it the instructions'
    problems.push({ ...about('', `there is no ${instructionsPath}`), hint })
  }
  if (content.size > files) problems.push(about('', `has ${content.size} files; at most ${files} are kept`))
  const size = sizeOf(content)
  if (size > bytes) problems.push(about('', `has ${toMb(size)} MB of files; at most ${toMb(bytes)} MB are kept`))
  else if (countLines(content) > lines) problems.push(about('', `has more than ${lines} lines of text in all`))
  for (const [path, { length }] of content) {
    const shown = path.slice(0, pathLength)
    if (!isPlainPath(path) || !path.isWellFormed()) {
      problems.push(about(shown, 'its path must stay below the folder: no "..", no empty part, no control characters'))
    } else if (path.length > pathLength) {
      problems.push(about(shown, `its path must be at most ${pathLength} characters`))
    } else if (foldersOf(path).some((folder) => content.has(folder))) {
      problems.push(about(shown, 'is below something that is a file'))
    }
    if (length > fileBytes)
      problems.push(about(shown, `has ${toMb(length)} MB; a file has at most ${toMb(fileBytes)} MB`))
  }
  return problems
}

function countLines(content: Folder): number {
  return [...content.values()].reduce((sum, bytes) => sum + (readText(bytes)?.split('\n').length ?? 0), 0)
}

function foldersOf(path: string): string[] {
  const parts = path.split('/')
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'))
}

function about(file: string, message: string): SkillProblem {
  return { file, message, path: '' }
}

function toMb(bytes: number): string {
  return (bytes / 1_000_000).toFixed(1).replace(/\.0$/, '')
}
