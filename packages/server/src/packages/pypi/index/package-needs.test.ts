import { expect, test } from 'vitest'
import { readNeeds } from './package-needs.ts'

test('readNeeds() turns what uv says of each package into what each package needs', () => {
  const annotated = [
    'numpy==2.4.6              # via contourpy, Pandas',
    'contourpy==1.3.3          # via matplotlib',
    'seaborn==0.13.2           # via -r wanted.in',
    'pandas==3.1.1',
  ]
  expect([...readNeeds(annotated.join('\n'))]).toEqual([
    ['contourpy', ['numpy']],
    ['pandas', ['numpy']],
    ['matplotlib', ['contourpy']],
  ])
})
