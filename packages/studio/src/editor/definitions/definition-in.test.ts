import { expect, test } from 'vitest'
import { definitionIn } from './definition-in.ts'

const kindOf = (path: string, text: string) => definitionIn(path, text)?.kind

test('a file is a definition by its name, or by the kind it names', () => {
  expect(kindOf('tools/count/tool.yaml', '')).toBe('tool')
  expect(kindOf('agent.yaml', '')).toBe('agent')
  expect(kindOf('agents/helper.yml', '# mine\nkind: agent\n')).toBe('agent')
  expect(kindOf('helper.json', '{\n  "kind": "agent"\n}')).toBe('agent')
  expect(kindOf('compose.yaml', 'services:\n  kind: agent\n')).toBeUndefined()
  expect(kindOf('package.json', '{ "name": "agent" }')).toBeUndefined()
  expect(kindOf('notes.md', 'kind: agent')).toBeUndefined()
})

test('a skill has the front matter of its file, closed or not', () => {
  expect(definitionIn('skills/a/SKILL.md', '---\nname: a\n---\n# Text\n')).toEqual({
    ...{ kind: 'skill', text: 'name: a\n', offset: 4 },
  })
  expect(definitionIn('SKILL.md', '---\nname: a\n')?.text).toBe('name: a\n')
  expect(definitionIn('SKILL.md', '# Text\n---\n')).toBeUndefined()
})
