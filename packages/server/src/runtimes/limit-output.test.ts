import type { OutputLine } from '@coherex/contract'
import { expect, test } from 'vitest'
import { createOutputLimit } from './limit-output.ts'

function limited(bytes: number) {
  const lines: OutputLine[] = []
  return {
    lines,
    output: createOutputLimit(
      bytes,
      (line) => lines.push(line),
      () => 7,
    ),
  }
}
const cutAt = (where: string) => ({ at: 7, stream: 'stderr', text: `[output cut at ${where}]` })

test('output within the limit is passed on as it is', () => {
  const { lines, output } = limited(10)
  output.text('stdout', 'hello')
  output.text('stderr', 'world')
  expect(lines).toEqual([
    { at: 7, stream: 'stdout', text: 'hello' },
    { at: 7, stream: 'stderr', text: 'world' },
  ])
  expect(output.truncated).toBe(false)
})

test('text is cut between characters, once, and nothing follows', () => {
  const { lines, output } = limited(6)
  output.text('stdout', 'ab')
  output.text('stdout', 'é€€')
  output.text('stdout', 'more')
  output.display({ 'text/plain': 'x' })
  output.cutByGuest()
  expect(lines).toEqual([
    { at: 7, stream: 'stdout', text: 'ab' },
    { at: 7, stream: 'stdout', text: 'é' },
    cutAt('6 bytes'),
  ])
  expect(output.truncated).toBe(true)
})

test('a display is shown whole or not at all, and counts', () => {
  const { lines, output } = limited(30)
  output.display({ 'text/plain': 'x' })
  output.display({ 'text/plain': 'y' })
  expect(lines).toEqual([{ at: 7, stream: 'display', data: { 'text/plain': 'x' } }, cutAt('30 bytes')])
})

test('a guest that stopped at the limit by itself is told of once', () => {
  const { lines, output } = limited(5)
  output.cutByGuest()
  output.cutByGuest()
  expect([lines, output.truncated]).toEqual([[cutAt('5 bytes')], true])
})

test.each([
  ['text', (output: ReturnType<typeof limited>['output']) => output.text('stdout', '')],
  ['displays', (output: ReturnType<typeof limited>['output']) => output.display({})],
])('pieces of no length are bounded by their number: %s', (_, piece) => {
  const { lines, output } = limited(1_000_000)
  for (let count = 0; count < 30_000; count++) piece(output)
  expect(lines).toHaveLength(20_001)
  expect(lines.at(-1)).toEqual(cutAt('20000 pieces'))
})

test('displays are cut at a number of parts: empty lists have next to no bytes, and take time and memory wherever they are read', () => {
  const { lines, output } = limited(10_000_000)
  const data = { 'application/json': Array.from({ length: 200_000 }, () => []) }
  for (let times = 0; times < 4; times++) output.display(data)
  expect(lines.map(({ stream }) => stream)).toEqual(['display', 'display', 'stderr'])
  expect(lines.at(-1)).toEqual(cutAt('500000 parts of what is displayed'))
})
