import { skillLimits, skillName, type SkillFrontMatter, type SkillProblem } from '@coherex/contract'
import { z } from 'zod'
import { nearestWord } from '../definition/nearest-word.ts'
import { lowerFirst } from '../definition/parse-text.ts'
import { readDocument } from '../definition/read-document.ts'
import { hasHidden } from '../definition/show-hidden.ts'

/** The file that makes a folder a skill. */
export const instructionsPath = 'SKILL.md'

export interface ParsedFrontMatter {
  frontMatter?: SkillFrontMatter
  problems: SkillProblem[]
  warnings: SkillProblem[]
  /** What stands below it: the instructions. */
  body: string
}

// nonsense of this length is refused by the parser before anyone waits for it
const mostCharacters = 8_000
const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()]).transform((value) => String(value ?? ''))
const list = z
  .union([z.string(), z.array(z.string())])
  .transform((value) => [value].flat().flatMap((one) => one.split(/\s+/)))

const known = {
  name: skillName.describe('As agents name it: the name of its folder'),
  description: z
    .string()
    .describe('What the skill does and when to use it: models choose by it')
    .transform((text) => text.trim())
    .pipe(
      z
        .string()
        .min(1, 'must say what the skill does and when to use it')
        .max(skillLimits.descriptionLength, `must be at most ${skillLimits.descriptionLength} characters`),
    ),
  license: z.string().max(500, 'must be at most 500 characters').optional().describe('Such as MIT'),
  compatibility: z
    .string()
    .min(1, 'must not be empty')
    .max(skillLimits.compatibilityLength, `must be at most ${skillLimits.compatibilityLength} characters`)
    .optional()
    .describe('What it needs: products, packages or access'),
  metadata: z
    .record(z.string(), scalar, { error: 'must be names with texts' })
    .optional()
    .describe('Names with texts, for other programs'),
  'allowed-tools': list
    .optional()
    .describe('Told to people. It grants nothing: an agent holds the tools its definition names'),
}
/** Fields of others may stand beside these. */
export const frontMatterFields = z.object(known)

/** The front matter of a SKILL.md, or what is wrong with it and where. Fields of others are kept and named. */
export function parseFrontMatter(text: string): ParsedFrontMatter {
  const about = (problem: Omit<SkillProblem, 'file'>): SkillProblem => ({ file: instructionsPath, ...problem })
  const refuse = (...problems: Omit<SkillProblem, 'file'>[]): ParsedFrontMatter => ({
    problems: problems.map(about),
    warnings: [],
    body: '',
  })
  const written = text.replace(/^\uFEFF/, '').split('\n')
  const isMark = (line: string) => /^---[ \t]*\r?$/.test(line)
  const end = written.findIndex((line, index) => index > 0 && isMark(line))
  if (!isMark(written[0] ?? '') || end < 0) {
    const hint = 'Between two lines “---” at the beginning stand name and description'
    const message = isMark(written[0] ?? '')
      ? 'the front matter is not closed by a line “---”'
      : 'there is no front matter'
    return refuse({ message, path: '', line: 1, column: 1, hint })
  }
  const source = written.slice(1, end).join('\n')
  const body = written.slice(end + 1).join('\n')
  if (source.length > mostCharacters) {
    const message = `the front matter must be at most ${mostCharacters} characters`
    return refuse({ message, path: '', line: 1, column: 1, hint: 'What is longer stands below it' })
  }
  const { document, problems } = readDocument(source, {
    mostAliases: 20,
    // the line “---” stands before
    firstLine: 2,
    fields: { message: 'must be fields with their values' },
  })
  if (!document) return refuse(...problems)
  const { value, valueAt, locate } = document
  const parsed = frontMatterFields.safeParse(value)
  if (!parsed.success) {
    return refuse(
      ...parsed.error.issues.map((issue) => {
        const field = issue.path.slice(0, 1)
        const isMissing = issue.code === 'invalid_type' && valueAt(field) === undefined
        return {
          message: isMissing ? 'is missing' : lowerFirst(issue.message),
          path: issue.path.map(String).join('.'),
          ...locate(field),
        }
      }),
    )
  }
  const { 'allowed-tools': allowedTools, ...rest } = parsed.data
  const others = Object.entries(value).filter(([name]) => !(name in known))
  const warn = (field: string, message: string, hint?: string): SkillProblem =>
    about({ message, path: field, ...locate([field]), ...(hint && { hint }) })
  const warnings = others.map(([name]) => {
    const guess = nearestWord(name, Object.keys(known))
    return warn(name, 'is not known here: it is kept', guess && `Did you mean “${guess}”?`)
  })
  if (allowedTools)
    warnings.push(warn('allowed-tools', 'grants nothing: an agent holds the tools its definition names'))
  if (hasHidden(rest.description)) warnings.push(warn('description', 'has characters that cannot be seen'))
  if (body.trim() === '') {
    warnings.push(about({ message: 'there are no instructions below the front matter', path: '', line: 1, column: 1 }))
  }
  const frontMatter = {
    ...definedOf(rest),
    ...(allowedTools && { allowedTools }),
    ...(others.length > 0 && { others: Object.fromEntries(others) }),
  } as SkillFrontMatter
  return { frontMatter, problems: [], warnings, body }
}

function definedOf<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as Partial<T>
}
