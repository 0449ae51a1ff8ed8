import { expect, test } from 'vitest'
import { outlineOf, symbolsAt } from './outline-of.ts'

const names = (path: string, text: string) =>
  outlineOf(path, text).map(({ name, kind, line, depth }) => `${'-'.repeat(depth)}${kind} ${name} ${line}`)

test('outlineOf() finds what programs define, and what lies in what', () => {
  const code =
    'LIMIT = 3\nclass Box:\n    def open(self):\n        pass\n# %% try it\nasync def main():\n    if x(): pass\n'
  expect(names('a.py', code)).toEqual([
    ...['constant LIMIT 1', 'class Box 2', '-function open 3', 'cell try it 5', 'function main 6'],
  ])
  const script = [
    ...['export interface Shape {', '}', 'export class Circle {', '  area(): number {', '    if (x) {', '    }', '  }'],
    ...['}', 'const half = (n: number) => n / 2', 'export default function draw() {}'],
  ]
  expect(names('a.ts', script.join('\n'))).toEqual([
    ...['type Shape 1', 'class Circle 3', '-function area 4', 'function half 9', 'function draw 10'],
  ])
})

test('outlineOf() reads headings, but none in code', () => {
  const text = '# One\n```\n# no\n```\n## Two ##\ntext\n# Three'
  expect(names('a.md', text)).toEqual(['heading One 1', '-heading Two 5', 'heading Three 7'])
  expect(symbolsAt(outlineOf('a.md', text), 6).map(({ name }) => name)).toEqual(['One', 'Two'])
  expect(outlineOf('a.csv', 'class A')).toEqual([])
})
