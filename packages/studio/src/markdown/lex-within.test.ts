import type { Token, Tokens } from 'marked'
import { expect, test } from 'vitest'
import { lexFormulas } from './lex-formulas.ts'
import { lexWithin } from './lex-within.ts'
import { lexPlain } from './use-lexer.ts'

// each of them took seconds, or all of the stack, before it was bounded
const hostile: [name: string, text: string][] = [
  ['emphasis that opens', '*a **b '.repeat(3_000)],
  ['emphasis in words', '_a'.repeat(10_000)],
  ['emphasis in emphasis', '*a **a '.repeat(1_500) + 'b** b*'.repeat(1_500)],
  ['stars', `x${'*'.repeat(20_000)}x`],
  ['strikes in strikes', '~~a '.repeat(2_500) + 'b~~'.repeat(2_500)],
  ['emphasis over code', '**a`'.repeat(5_000)],
  ['cells that nobody wrote', `|${'a|'.repeat(500)}\n|${'-|'.repeat(500)}\n${'|\n'.repeat(8_000)}`],
  ['tables one after the other', `|${'a|'.repeat(50)}\n|${'-|'.repeat(50)}\n${'|\n'.repeat(50)}\n`.repeat(70)],
  ['quotes in quotes', '>'.repeat(20_000)],
  ['lists in lists', '- '.repeat(10_000)],
  ['quotes in lists', '> - '.repeat(5_000)],
  ['brackets', '['.repeat(10_000) + ']'.repeat(10_000)],
  ['links in links', `${'['.repeat(4_000)}a${'](b)'.repeat(4_000)}`],
  ['images in images', `${'!['.repeat(3_000)}a${'](b)'.repeat(3_000)}`],
  ['lines of a list that are none of it', `1. x${'\n\\('.repeat(6_600)}`],
  ['comments that never end', '<!--'.repeat(5_000)],
  ['ticks', Array.from({ length: 200 }, (_, times) => '`'.repeat(times + 1)).join('a')],
  ['dollars', `${'\n$$\n_]~'.repeat(2_800)}`],
]

test.each(hostile)('a text of nothing but %s is read in time, and is all there', (_name, text) => {
  for (const lex of [lexPlain, lexFormulas]) {
    const before = process.threadCpuUsage()
    const tokens = lexWithin(text, lex)
    const { user } = process.threadCpuUsage(before)
    expect(user / 1_000).toBeLessThan(1_500)
    expect(textOf(tokens)).toBe(text.trim())
    expect(depthOf(tokens)).toBeLessThan(60)
    expect(countAll(tokens)).toBeLessThan(60_000)
  }
})

test('what people write is read as before', () => {
  const long = `${'word '.repeat(400)}**bold** see https://example.com/a_b_c and me@example.com, ${'more '.repeat(400)}_end_`
  const [paragraph] = lexWithin(long, lexPlain)
  const inner = (paragraph as Tokens.Paragraph).tokens.filter(({ type }) => type !== 'text')
  expect(inner.map(({ type, raw }) => [type, raw])).toEqual([
    ['strong', '**bold**'],
    ['link', 'https://example.com/a_b_c'],
    ['link', 'me@example.com'],
    ['em', '_end_'],
  ])
})

test('a long text is cut between paragraphs and never within code, and its end is left as it was written', () => {
  const paragraph = `${'Some words. '.repeat(100)}\n\n`
  const code = `\`\`\`ts\n${'let a = 1\n\n'.repeat(3_000)}\`\`\`\n`
  const types = (text: string) => [...new Set(lexWithin(text, lexPlain).map(({ type }) => type))]
  expect(types(paragraph.repeat(10) + code + paragraph)).toEqual(['paragraph', 'space', 'code'])
  expect(types(paragraph.repeat(40))).toEqual(['paragraph', 'space'])
  const endless = lexWithin(paragraph.repeat(100), lexPlain)
  expect(endless.at(-1)?.type).toBe('plain')
  expect(textOf(endless)).toBe(paragraph.repeat(100).trim())
})

test('a text that cannot be read is shown as it was written', () => {
  const lex = () => {
    throw new RangeError('Maximum call stack size exceeded')
  }
  expect(lexWithin('some *words*', lex)).toEqual([{ type: 'plain', raw: 'some *words*' }])
})

function textOf(tokens: readonly Token[]): string {
  return tokens
    .map(({ raw }) => raw)
    .join('')
    .trim()
}

interface Inside {
  tokens: Token[]
  items: Tokens.ListItem[]
  header: Tokens.TableCell[]
  rows: Tokens.TableCell[][]
}

function within(token: Token): Token[] {
  const { tokens = [], items = [], header = [], rows = [] } = token as Partial<Inside>
  const cells = [...header, ...rows.flat()].flatMap((cell) => [{ type: 'cell', raw: cell.text }, ...cell.tokens])
  return [...tokens, ...items.flatMap((item) => [item, ...item.tokens]), ...cells]
}

function depthOf(tokens: readonly Token[]): number {
  return 1 + Math.max(-1, ...tokens.map((token) => depthOf(within(token))))
}

function countAll(tokens: readonly Token[]): number {
  return tokens.reduce((count, token) => count + 1 + countAll(within(token)), 0)
}
