import { expect, test } from 'vitest'
import { guessLanguage } from './guess-language.ts'

test.each([
  ['a.py', '', 'python'],
  ['a.MJS', '', 'javascript'],
  ['a.cjs', '', 'node'],
  ['dir.py/a.ts', '', 'typescript'],
  ['a.sh', '#!/usr/bin/python3', 'bash'],
  ['tool', '#!/usr/bin/python3.11 -u\n', 'python'],
  ['tool', '#!/usr/bin/env -S FOO=1 node --no-warnings\n', 'node'],
  ['-', '#! /bin/sh\n', 'bash'],
  ['query.sql', '', 'sql'],
  ['plot.R', '', 'r'],
  ['a.rb', '', 'ruby'],
  ['a.go', '', 'go'],
  ['a.c', '', 'c'],
  ['a.wasm', '', 'wasm'],
  ['tool', '#!/usr/bin/env Rscript\n', 'r'],
  ['tool', '#!/usr/bin/perl\n', undefined],
  ['tool', 'print(1)\n#!/bin/sh', undefined],
])('guessLanguage() says what %s with %j is', (file, code, language) => {
  expect(guessLanguage(file, code)).toBe(language)
})
