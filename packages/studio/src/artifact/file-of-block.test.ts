import { expect, test } from 'vitest'
import { fileOfBlock } from './file-of-block.ts'

test.each([
  [{ title: 'load.py', kind: 'code', language: 'python' }, 'load.py'],
  [{ title: 'Load the numbers!', kind: 'code', language: 'python' }, 'load-the-numbers.py'],
  [{ title: '../../etc/passwd', kind: 'code', language: 'bash' }, 'etc-passwd.sh'],
  [{ title: null, kind: 'code', language: 'sql' }, 'block.sql'],
  [{ title: 'Page', kind: 'html', language: 'html' }, 'page.html'],
  [{ title: null, kind: 'react', language: 'tsx' }, 'block.tsx'],
  [{ title: null, kind: 'vega', language: 'vega-lite' }, 'block.vl.json'],
] as const)('fileOfBlock(%j) is %s', (block, file) => {
  expect(fileOfBlock(block)).toBe(file)
})
