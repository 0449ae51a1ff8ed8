import type { Token } from 'marked'
import { expect, test } from 'vitest'
import { lexFormulas } from './lex-formulas.ts'

/** The formulas of a text, those with a line of their own marked. */
function formulasOf(text: string): string[] {
  const find = (tokens: readonly Token[]): string[] =>
    tokens.flatMap((token) => {
      if (token.type === 'formula') return `${token['isDisplay'] ? 'display ' : ''}${token['source']}`
      const { tokens: inner = [], items = [] } = token as { tokens?: Token[]; items?: { tokens: Token[] }[] }
      return [...find(inner), ...items.flatMap((item) => find(item.tokens))]
    })
  return find(lexFormulas(text))
}

test.each([
  ['It is $E = mc^2$.', ['E = mc^2']],
  [String.raw`Both \(a_1\) and \[b_1\] count.`, ['a_1', 'display b_1']],
  ['In a line $$x$$ too.', ['display x']],
  ['Of $n$ things the $n$th, $x$-wise, at $x_i$s ($k$).', ['n', 'n', 'x', 'x_i', 'k']],
  [String.raw`It takes $\$5$.`, [String.raw`\$5`]],
  ['*so $a * b$ is*, and **$c_1$**', ['a * b', 'c_1']],
  ['1. first\n   $$\n   a\n   - b\n   $$\n2. $c$', ['display a\n- b', 'c']],
  ['So:\n$$\na\n- b\n+ c\n$$\nand on', ['display a\n- b\n+ c']],
  [String.raw`\[` + '\n' + String.raw`a \\[2em] b` + '\n' + String.raw`\]`, [String.raw`display a \\[2em] b`]],
])('%j holds formulas', (text, formulas) => {
  expect(formulasOf(text)).toEqual(formulas)
})

test.each([
  'It costs $5 and $10.',
  'From $5-$10, or $100k–$200k, US$5 or A$ and B$.',
  'Between $5 million and $10 million$5',
  '$HOME/bin:$PATH, $AAPL/$TSLA',
  '`$x$` and `\\(x\\)`',
  '```\n$$\nx\n$$\n```',
  'not closed: $x, $$y, \\(z, \\[',
  'empty: $$ $$, \\( \\), $ x $',
  '$$\nnot over\n\na paragraph\n$$',
])('%j holds none', (text) => {
  expect(formulasOf(text)).toEqual([])
})

test('what is around formulas is read as before', () => {
  const [before, formula, after] = lexFormulas('So **this**:\n$$\nx\n$$\n- one\n- two $5')
  expect([before?.type, formula?.type, after?.type]).toEqual(['paragraph', 'formula', 'list'])
  expect(before && 'text' in before && before.text).toBe('So **this**:')
  const text = `${'word '.repeat(1_000)}$5 and ${'word '.repeat(1_000)}`
  const [whole] = lexFormulas(text)
  expect(whole && 'tokens' in whole && whole.tokens?.map(({ raw }) => raw)).toEqual([text])
})

test.each(['$ ', '$a ', '$$ a', '\\(', '\\[a', '\\[\n', '$$\n', '*a $ ', '\n$$', '$x$\n', '_$', '$x$', 'a\n$$b\n'])(
  'a long text of %j is read in a moment',
  (part) => {
    const begun = performance.now()
    lexFormulas(part.repeat(20_000 / part.length))
    expect(performance.now() - begun).toBeLessThan(5_000)
  },
)
