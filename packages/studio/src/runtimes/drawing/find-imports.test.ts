import { expect, test } from 'vitest'
import { findImports } from './find-imports.ts'

test('findImports() names packages once, without React, files and addresses', () => {
  const code = `import React, { useState } from 'react'
import { createRoot } from "react-dom/client"
import dayjs from 'dayjs'
import {
  map,
  filter,
} from 'es-toolkit/array'
import 'npm:@scope/styles@^2/all'
import type { Day } from 'dayjs'
export { chunk } from 'lodash-es'
import local from './local.ts'
import far from 'https://example.com/x.js'
const text = "import x from 'in-a-string'"
const later = import('lazy')
import reactive from 'react-ive'`
  expect(findImports(code)).toEqual(['dayjs', 'es-toolkit/array', 'npm:@scope/styles@^2/all', 'lodash-es', 'react-ive'])
})

test('findImports() takes no long time over code with many imports that end nowhere', () => {
  const begun = performance.now()
  for (const line of ['import a\n', 'import from \n', 'import {\n', ' export b\n'])
    expect(findImports(line.repeat(20_000))).toEqual([])
  expect(performance.now() - begun).toBeLessThan(1_000)
})
