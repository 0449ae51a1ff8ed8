import { expect, test } from 'vitest'
import { highlightCode } from './highlight-code.ts'

test('code has its colours, and a language without any has none', async () => {
  const [line] = (await highlightCode('const a = 1', 'ts')) ?? []
  expect(line?.find(({ content }) => content.trim() === 'const')?.color).toBe('var(--code-token-keyword)')
  expect(await highlightCode('const a = 1', 'klingon')).toBeUndefined()
})

test('a line that is made to take long is left without colours, and is all there', async () => {
  const text = `echo "fine"\n${'{'.repeat(29_000)}`
  await highlightCode('echo', 'bash')
  const before = process.threadCpuUsage()
  const lines = (await highlightCode(text, 'bash')) ?? []
  expect(process.threadCpuUsage(before).user / 1_000).toBeLessThan(1_500)
  expect(lines.map((line) => line.map(({ content }) => content).join('')).join('\n')).toBe(text)
  expect(lines[0]?.some(({ color }) => color)).toBe(true)
})
