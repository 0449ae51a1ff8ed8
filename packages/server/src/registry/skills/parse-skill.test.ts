import { skillLimits } from '@coherex/contract'
import { describe, expect, it } from 'vitest'
import { parseSkill } from './parse-skill.ts'

const good = `---
name: pdf-forms
description: Fills PDF forms. Use it when someone sends a form.
license: Apache-2.0
compatibility: Needs Python 3
metadata:
  author: example
  version: 1.5
---
# Forms

Run scripts/fill.py.
`
const contentOf = (files: Record<string, string | Buffer>) =>
  new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)]))
const parse = (text: string, folder = 'pdf-forms') => parseSkill(contentOf({ 'SKILL.md': text }), folder)

describe('a skill', () => {
  it('is read from its front matter, with the instructions below', () => {
    const { frontMatter, problems, warnings, body } = parse(good)
    expect({ problems, warnings }).toEqual({ problems: [], warnings: [] })
    expect(frontMatter).toEqual({
      name: 'pdf-forms',
      description: 'Fills PDF forms. Use it when someone sends a form.',
      license: 'Apache-2.0',
      compatibility: 'Needs Python 3',
      metadata: { author: 'example', version: '1.5' },
    })
    expect(body).toBe('# Forms\n\nRun scripts/fill.py.\n')
  })

  it('is read with the line ends of Windows and a byte order mark', () => {
    const { frontMatter, problems } = parse(`\uFEFF${good.replaceAll('\n', '\r\n')}`)
    expect(problems).toEqual([])
    expect(frontMatter).toMatchObject({ name: 'pdf-forms', license: 'Apache-2.0' })
  })

  it('keeps fields that are not known here, and names them with a guess', () => {
    const { frontMatter, problems, warnings } = parse(
      good.replace('license:', 'allowed-tools: Bash(git:*) Read\nmodel: [a, b]\nlicence:'),
    )
    expect(problems).toEqual([])
    expect(frontMatter).toMatchObject({
      allowedTools: ['Bash(git:*)', 'Read'],
      others: { model: ['a', 'b'], licence: 'Apache-2.0' },
    })
    expect(warnings).toEqual([
      { file: 'SKILL.md', path: 'model', message: 'is not known here: it is kept', line: 5, column: 1 },
      {
        file: 'SKILL.md',
        path: 'licence',
        message: 'is not known here: it is kept',
        line: 6,
        column: 1,
        hint: 'Did you mean “license”?',
      },
      expect.objectContaining({ path: 'allowed-tools', line: 4, message: expect.stringContaining('grants nothing') }),
    ])
  })

  it('warns of a description in which something is hidden', () => {
    const { warnings } = parse(good.replace('Fills PDF', 'Fills\u{E0041} PDF'))
    expect(warnings).toEqual([expect.objectContaining({ path: 'description', line: 3 })])
    expect(parse(good.replace('Fills PDF', 'Fills ⚠️ PDF')).warnings).toEqual([])
  })

  it.each([
    ['no front matter', '# Forms\n', { line: 1, column: 1, message: 'there is no front matter' }],
    ['front matter without an end', good.replace(/\n---\n/, '\n'), { message: expect.stringContaining('not closed') }],
    ['empty front matter', '---\n---\nText', { message: 'must be fields with their values' }],
    ['no name', good.replace(/name: .*\n/, ''), { path: 'name', message: 'is missing' }],
    ['a bad name', good.replace('pdf-forms', 'PDF Forms'), { path: 'name', line: 2, column: 1 }],
    ['a name with two hyphens', good.replace('pdf-forms', 'pdf--forms'), { path: 'name', line: 2 }],
    ['no description', good.replace(/description: .*\n/, ''), { path: 'description', message: 'is missing' }],
    [
      'an empty description',
      good.replace(/description: .*\n/, 'description: "  "\n'),
      { path: 'description', line: 3 },
    ],
    [
      'a description that is too long',
      good.replace(/description: .*\n/, `description: ${'x'.repeat(1025)}\n`),
      { path: 'description', line: 3, message: 'must be at most 1024 characters' },
    ],
    ['nested metadata', good.replace('example', '{ a: 1 }'), { path: 'metadata.author', line: 6 }],
    ['a description with a colon', good.replace('Fills PDF', 'Fills: PDF'), { line: 3, hint: expect.any(String) }],
    [
      'front matter that is too long',
      good.replace('license:', `x: ${'['.repeat(8_000)}\nlicense:`),
      { line: 1, message: 'the front matter must be at most 8000 characters' },
    ],
    ['a name given twice', good.replace('license:', 'name: other\nlicense:'), { line: 4, column: 1 }],
    ['half a character', good.replace('example', '"\\ud800"'), { message: 'has characters that cannot be stored' }],
    [
      'half a character in a field of others',
      good.replace('license: ', 'x: "\\0"\nlicense: '),
      { message: expect.any(String) },
    ],
  ])('is refused with its place for %s', (_, text, expected) => {
    const { frontMatter, problems } = parse(text)
    expect(frontMatter).toBeUndefined()
    expect(problems).toContainEqual(expect.objectContaining({ file: 'SKILL.md', ...expected }))
  })

  it('is called what its folder is called', () => {
    const { frontMatter, problems } = parse(good, 'forms')
    expect(frontMatter).toBeUndefined()
    expect(problems).toEqual([
      { file: 'SKILL.md', path: 'name', message: 'must be "forms", as the folder is called', line: 2, column: 1 },
    ])
  })

  it('is refused when aliases would blow it up', () => {
    const levels = Array.from({ length: 12 }, (_, i) => `a${i + 1}: &a${i + 1} [${Array(9).fill(`*a${i}`).join(', ')}]`)
    const { problems } = parse(`---\na0: &a0 x\n${levels.join('\n')}\n---\n`)
    expect(problems[0]?.message).toBe('uses too many aliases')
  })

  it.each([
    ['no SKILL.md', { 'skill.md': good }, { file: '', hint: 'Rename skill.md' }],
    ['a path that climbs', { 'SKILL.md': good, '../x.py': '' }, { file: '../x.py' }],
    ['an absolute path', { 'SKILL.md': good, '/etc/x': '' }, { file: '/etc/x' }],
    ['a path of Windows', { 'SKILL.md': good, 'a\\b': '' }, { file: 'a\\b' }],
    [
      'a file in a file',
      { 'SKILL.md': good, a: '', 'a/b/c': '' },
      { file: 'a/b/c', message: 'is below something that is a file' },
    ],
    ['a large file', { 'SKILL.md': good, big: Buffer.alloc(skillLimits.fileBytes + 1) }, { file: 'big' }],
    [
      'too many files',
      { 'SKILL.md': good, ...Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${n}`, ''])) },
      { message: 'has 101 files; at most 100 are kept' },
    ],
    [
      'too much in all',
      { 'SKILL.md': good, ...Object.fromEntries(Array.from({ length: 5 }, (_, n) => [`${n}`, Buffer.alloc(900_000)])) },
      { message: 'has 4.5 MB of files; at most 4 MB are kept' },
    ],
    [
      'more text than anyone reads',
      { 'SKILL.md': good, 'a.txt': '\n'.repeat(skillLimits.lines) },
      { message: 'has more than 50000 lines of text in all' },
    ],
    ['instructions that are no text', { 'SKILL.md': Buffer.from([0xff, 0xfe]) }, { message: 'is no text in UTF-8' }],
  ])('is refused for %s', (_, files, expected) => {
    const { frontMatter, problems } = parseSkill(contentOf(files as Record<string, string | Buffer>), 'pdf-forms')
    expect(frontMatter).toBeUndefined()
    expect(problems).toContainEqual(expect.objectContaining(expected))
  })
})
