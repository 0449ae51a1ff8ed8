import { expect, test } from 'vitest'
import { isSynced } from './scan-folder.ts'

test.each([
  '.git/hooks/post-checkout',
  'deep/.GIT/config',
  '.g\u200cit/config',
  'GIT~1/config',
  '.git./config',
  '.git /config',
  'Node_Modules/a.js',
  '.coherex/workspace.json',
  'a.conflict-12.txt',
  '../a',
])('isSynced() leaves out %j, which on some machine is a folder kept apart', (path) => {
  expect(isSynced(path)).toBe(false)
})

test.each(['.gitignore', 'git/a', '.github/workflows/a.yml', 'my.git/a', 'a.conflict/b', '__proto__'])(
  'isSynced() takes %j',
  (path) => {
    expect(isSynced(path)).toBe(true)
  },
)
