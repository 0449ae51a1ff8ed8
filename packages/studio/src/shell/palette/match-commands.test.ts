import { expect, test } from 'vitest'
import { matchCommands } from './match-commands.ts'

const commands = [
  { label: 'Home', group: 'Go to' },
  { label: 'API keys', group: 'Settings', words: 'token' },
  { label: 'Create API key', group: 'Do', words: 'token' },
  { label: 'Sign out', group: 'Do', words: 'log out' },
]
const find = (text: string) => matchCommands(commands, text).map(({ label }) => label)

test('with nothing typed everything is there in its order', () => {
  expect(find('  ')).toEqual(['Home', 'API keys', 'Create API key', 'Sign out'])
})

test('a label that starts with what was typed comes before one that contains it', () => {
  expect(find('api')).toEqual(['API keys', 'Create API key'])
  expect(find('create')).toEqual(['Create API key'])
})

test('every typed word must start a word', () => {
  expect(find('key api')).toEqual(['API keys', 'Create API key'])
  expect(find('ome')).toEqual([])
})

test('other words for the same thing are found too', () => {
  expect(find('log out')).toEqual(['Sign out'])
  expect(find('token')).toEqual(['API keys', 'Create API key'])
})
