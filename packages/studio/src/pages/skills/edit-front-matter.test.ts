import { expect, test } from 'vitest'
import { readSkillFields, setSkillField } from './edit-front-matter.ts'

const text = `---
# who reads it
name: tone
description: How we write # in short
---

# Tone

Say it plainly.
`

test('readSkillFields shows the front matter and the instructions of a SKILL.md', () => {
  expect(readSkillFields(text)).toEqual({
    name: 'tone',
    description: 'How we write',
    compatibility: '',
    license: '',
    instructions: '# Tone\n\nSay it plainly.',
  })
  expect(readSkillFields('# Tone')).toBeUndefined()
  expect(readSkillFields('---\nname: tone\n')).toBeUndefined()
  expect(readSkillFields('---\nname: [\n---\n')).toBeUndefined()
  expect(readSkillFields('---\n- a\n---\n')).toBeUndefined()
})

test('setSkillField changes one field, and comments and all else stay as they were written', () => {
  expect(setSkillField(text, 'description', 'Colons: kept')).toBe(
    text.replace('description: How we write', 'description: "Colons: kept"'),
  )
  const licensed = setSkillField(text, 'license', 'MIT')
  expect(licensed).toContain('# in short\nlicense: MIT\n---\n\n# Tone')
  expect(setSkillField(licensed, 'license', '')).toBe(text)
  expect(setSkillField(text, 'description', '')).toContain('description: ""')
  expect(setSkillField(text, 'instructions', 'Do it.\n\n---\n\nWell.')).toBe(
    `${text.slice(0, text.indexOf('# Tone'))}Do it.\n\n---\n\nWell.\n`,
  )
  expect(setSkillField('# Tone', 'name', 'x')).toBe('# Tone')
})
