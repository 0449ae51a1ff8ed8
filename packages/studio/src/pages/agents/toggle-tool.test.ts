import { expect, test } from 'vitest'
import { readTools, toggleTool } from './toggle-tool.ts'

const source = `# who
kind: agent
name: helper # the name
instructions: |
  Look at the files first, and say in a long line that nobody wants to see folded what you have found in each of them, please.
tools: [files, bash] # hands
limits:
  steps: 3
`

test('a tick adds a tool and takes it away, and leaves everything else as it was written', () => {
  const more = toggleTool(source, 'run-code', true)
  expect(more).toBe(source.replace('[files, bash]', '[files, bash, run-code]'))
  expect(readTools(more)?.tools).toEqual(['files', 'bash', 'run-code'])
  expect(toggleTool(more, 'run-code', false)).toBe(source)
  expect(toggleTool(source, 'files', true)).toBe(source)
})

test('a definition without tools gets its list, and block lists stay block lists', () => {
  expect(toggleTool('kind: agent\n', 'files', true)).toBe('kind: agent\ntools: [files]\n')
  expect(toggleTool('tools:\n  - files # read\n', 'agent:reviewer', true)).toBe(
    'tools:\n  - files # read\n  - agent:reviewer\n',
  )
})

test('a definition in JSON stays JSON', () => {
  const json = '{"name": "helper", "tools": ["files"]}\n'
  expect(toggleTool(json, 'bash', true)).toBe('{"name": "helper", "tools": ["files", "bash"]}\n')
  expect(toggleTool('{"name": "helper"}\n', 'bash', true)).toBe('{"name": "helper", "tools": ["bash"]}\n')
})

test('what is no YAML has no tools to tick', () => {
  expect(readTools('tools: [files')).toBeUndefined()
  expect(readTools('- a list')?.tools).toEqual([])
  expect(readTools('')?.tools).toEqual([])
})
