import { expect, test } from 'vitest'
import { joinCommand, splitCommand } from './split-command.ts'

test.each([
  ['node server.js', ['node', 'server.js']],
  ['  uvx   mcp-server ', ['uvx', 'mcp-server']],
  [`serve --root "My files" --name 'a "b"'`, ['serve', '--root', 'My files', '--name', 'a "b"']],
  [String.raw`serve My\ files "say \"hi\"" "C:\temp"`, ['serve', 'My files', 'say "hi"', String.raw`C:\temp`]],
  [`serve --empty '' ""`, ['serve', '--empty', '', '']],
  [`serve --flag='a b'c`, ['serve', '--flag=a bc']],
  ['', []],
  [`serve 'open`, undefined],
  ['serve "open', undefined],
])('splitCommand() reads %s as a shell does', (text, words) => {
  expect(splitCommand(text)).toEqual(words)
})

test('joinCommand() writes words that splitCommand() reads again', () => {
  const words = ['node', '-e', `console.log("it's")`, '', '$(reboot)', 'a\\b', 'two\nlines', '--x=1']
  expect(splitCommand(joinCommand(words))).toEqual(words)
  expect(joinCommand(['npx', '-y', '@scope/server@1.2'])).toBe('npx -y @scope/server@1.2')
})
