import { isMap, parseDocument } from 'yaml'
import { setField, textOf } from '../definitions/edit-yaml.ts'

/** What the form shows of a SKILL.md. */
export interface SkillFields {
  name: string
  description: string
  compatibility: string
  license: string
  instructions: string
}

/** The fields of a SKILL.md; undefined where its front matter cannot be read. */
export function readSkillFields(text: string): SkillFields | undefined {
  const parts = split(text)
  if (!parts) return undefined
  const document = parseDocument(parts.frontMatter)
  if (document.errors.length > 0 || !isMap(document.contents)) return undefined
  const { name, description, compatibility, license } = document.toJS() as Record<string, unknown>
  return {
    name: textOf(name),
    // a block of text ends with a line break that nobody typed
    description: textOf(description).replace(/\n$/, ''),
    compatibility: textOf(compatibility),
    license: textOf(license),
    instructions: parts.body.replace(/^\n/, '').replace(/\n$/, ''),
  }
}

/** The SKILL.md with another value of a field; an empty one takes the field away, but not those it must have. */
export function setSkillField(text: string, field: keyof SkillFields, value: string): string {
  const parts = split(text)
  if (!parts) return text
  if (field === 'instructions') return `${parts.head}${parts.frontMatter}${parts.mark}\n${value}\n`
  const isNeeded = field === 'name' || field === 'description'
  const frontMatter = setField(parts.frontMatter, [field], value === '' && !isNeeded ? undefined : value)
  return `${parts.head}${frontMatter}${parts.mark}${parts.body}`
}

/** The lines between which the front matter stands, as the server reads them. */
function split(text: string): { head: string; frontMatter: string; mark: string; body: string } | undefined {
  const found = /^(\uFEFF?---[ \t]*\r?\n)([\s\S]*?)(^---[ \t]*\r?(?:\n|$))([\s\S]*)$/m.exec(text)
  if (found?.index !== 0) return undefined
  const [, head = '', frontMatter = '', mark = '', body = ''] = found
  return { head, frontMatter, mark, body }
}
