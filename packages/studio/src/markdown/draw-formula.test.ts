import katex from 'katex'
import { expect, test } from 'vitest'
import { formulaOptions } from './draw-formula.ts'
import { findProblem } from './find-problem.ts'

/** What is wrong with a formula, or what is drawn of it. */
function read(source: string): string {
  const problem = findProblem(source)
  if (problem !== undefined) return problem
  try {
    return katex.renderToString(source, { ...formulaOptions, displayMode: true })
  } catch (error) {
    return (error as Error).message
  }
}

test.each([
  String.raw`\frac{-b \pm \sqrt{b^2 - 4ac}}{2a}`,
  String.raw`\begin{aligned} a &= b \\ &= \mathbb{R} \end{aligned}`,
  String.raw`f(x) = \begin{cases} 1 & \text{if } x > 0 \\ 0 & \text{else} \end{cases}`,
  String.raw`\left\lfloor \underbrace{a + b}_{\hat c} \right\rfloor \implies \operatorname{define}`,
])('%s is drawn', (source) => {
  expect(read(source)).toContain('<math')
})

test.each([
  [String.raw`\href{javascript:alert(1)}{x}`, String.raw`\href is not allowed`],
  [String.raw`\url{https://evil.example}`, String.raw`\url is not allowed`],
  [String.raw`\includegraphics{https://evil.example/pixel.png}`, String.raw`\includegraphics is not allowed`],
  [String.raw`\htmlStyle{position: fixed}{x}`, String.raw`\htmlStyle is not allowed`],
  [String.raw`\htmlId{content}{x}`, String.raw`\htmlId is not allowed`],
  [String.raw`\def\a{\a\a}\a`, 'it defines names of its own'],
  [String.raw`\newcommand{\a}[1]{#1#1}\a{\a{x}}`, 'it defines names of its own'],
  ['x'.repeat(2_001), 'it is longer than 2000 letters'],
])('%s is refused', (source, problem) => {
  expect(read(source)).toBe(problem)
})

test('what looks like a page stays letters, and sizes have an end', () => {
  expect(read(String.raw`\text{<img src=x onerror=alert(1)>}`)).not.toContain('<img')
  expect(read(String.raw`\rule{5000em}{5000em}`)).toContain('width:20em')
})

const nests = [
  ['{', '}'],
  ['\\frac{1}{', '}'],
  ['\\hat{', '}^2'],
  ['\\overbrace{', '}^2'],
  ['\\boxed{', '}'],
  ['\\mathchoice{', '}{x}{x}{x}'],
  ['\\text{$', '$}'],
  ['\\left(', '\\right)'],
  ['\\Set{', '|x}'],
  ['\\dots ', ''],
]
test.each(nests)('a formula of nothing but %s…%s comes to an end', (open, close) => {
  const times = Math.floor(1_990 / (open.length + close.length))
  const begun = performance.now()
  read(`${open.repeat(times)}x${close.repeat(times)}`)
  expect(performance.now() - begun).toBeLessThan(5_000)
})
