import { expect, test } from 'vitest'
import { codeSubject } from './code-subject.ts'

test('codeSubject() passes over what every program begins with', () => {
  expect(codeSubject('import time\nfrom math import pi\n\nprint(pi)\n')).toBe('print(pi)')
  expect(codeSubject('#!/usr/bin/env python\n# Load the sales\nimport pandas')).toBe('Load the sales')
  expect(codeSubject("const fs = require('fs')\n/* Reads it */\nfs.readFileSync('a')")).toBe('Reads it')
  expect(codeSubject('set -e\ncd app\npython load.py --all')).toBe('python load.py --all')
  expect([codeSubject('import time'), codeSubject('\n\n')]).toEqual(['import time', ''])
})
