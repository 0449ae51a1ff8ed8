import { expect, test } from 'vitest'
import { fromGivenFiles } from '../definition/folder.ts'
import { findNamedTools } from './find-named-tools.ts'

test('findNamedTools() finds the tools that code calls, with the versions it asks for', () => {
  const files = fromGivenFiles({
    'main.js': `const { TOOLS } = env
      await TOOLS.invoice({}); await env.TOOLS['tax@3']({}); await TOOLS.call("rates", 1); TOOLS.countWords("x")`,
    'more.py':
      'from coherex import tools\ntools.count_lines(text="a")\ntools["tax@3"]({})\ntools.call("invoice@2", {})',
    'README.md': 'all tools are good. It has TOOLS.',
    'picture.png': { base64: 'AAAA' },
  })
  expect(findNamedTools(files)).toEqual([
    { name: 'count-lines', pins: null },
    { name: 'count-words', pins: null },
    { name: 'invoice', pins: null },
    { name: 'invoice', pins: 2 },
    { name: 'rates', pins: null },
    { name: 'tax', pins: 3 },
  ])
})
