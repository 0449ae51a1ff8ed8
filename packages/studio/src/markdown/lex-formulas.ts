import { Lexer, type Hooks, type Token, type Tokens } from 'marked'
import { BoundedTokenizer } from './bounded-tokenizer.ts'
import { markdownOptions } from './markdown-options.ts'

/** LaTeX in Markdown, in its own paragraph or in a line. */
export interface FormulaToken extends Tokens.Generic {
  type: 'formula'
  /** Without the signs around it. */
  source: string
  isDisplay: boolean
}

// each stops where the next one could begin, so that many that never end are read once and not each to the end
const ofBlock = [
  /^ {0,3}\$\$((?:(?!\$\$|\n[ \t]*\n)(?:\\[^]|[^\\]))+)\$\$[ \t]*(?:\n|$)/,
  /^ {0,3}\\\[((?:(?!\n[ \t]*\n)(?:\\(?![[\]])[^]|[^\\]))+)\\\][ \t]*(?:\n|$)/,
]
const ofLine = [
  { pattern: /^\$\$((?:(?!\$\$)(?:\\[^]|[^\\]))+)\$\$/, isDisplay: true },
  { pattern: /^\\\[((?:\\(?![[\]])[^]|[^\\])+)\\\]/, isDisplay: true },
  { pattern: /^\\\(((?:\\(?![()])[^]|[^\\])+)\\\)/, isDisplay: false },
]
// a sum of money has a space before the next sign, or a digit after it
const betweenDollars = /^\$(?![\s$])((?:[^$\\\n]|\\.)+)(?<!\s)\$(?![\d$])(\p{L}?)/u
const beginsBlock = /\n {0,3}(?:\$\$|\\\[)/
const allOfLine =
  /\$\$(?:(?!\$\$)(?:\\[^]|[^\\]))+\$\$|\\\((?:\\(?![()])[^]|[^\\])+\\\)|\$(?![\s$])(?:[^$\\\n]|\\.)+(?<!\s)\$(?![\d$])/g
/** Text is looked through for the next formula in pieces of this size. */
const piece = 1_000

/** Markdown in tokens, with those of formulas. */
export function lexFormulas(text: string): Token[] {
  return Lexer.lex(text, {
    ...markdownOptions,
    tokenizer: new FormulaTokenizer(),
    extensions: { renderers: {}, childTokens: {}, block: [readBlock], inline: [readInLine] },
    // the only one that the lexer asks for
    hooks: { emStrongMask: hideStars } as unknown as Hooks,
  })
}

/** Stars and underscores of formulas are no emphasis. */
function hideStars(line: string): string {
  return line.replace(allOfLine, (formula) => formula.replace(/[*_]/g, 'a'))
}

function readBlock(source: string): FormulaToken | undefined {
  for (const pattern of ofBlock) {
    const [raw, formula] = pattern.exec(source) ?? []
    if (raw !== undefined && formula?.trim()) return toToken(raw, formula, true)
  }
  return undefined
}

function readInLine(source: string, before: readonly Token[]): FormulaToken | undefined {
  if (source[0] !== '$' && source[0] !== '\\') return undefined
  for (const { pattern, isDisplay } of ofLine) {
    const [raw, formula] = pattern.exec(source) ?? []
    if (raw !== undefined && formula?.trim()) return toToken(raw, formula, isDisplay)
  }
  // such as in US$
  if (/[\p{L}\d$]$/u.test(before.at(-1)?.raw.slice(-2) ?? '')) return undefined
  const [match, formula = '', letter = ''] = betweenDollars.exec(source) ?? []
  if (match === undefined) return undefined
  // $n$th is a formula, $HOME:$PATH is none
  if (letter && !/[\\^_={]|^\p{L}$/u.test(formula)) return undefined
  return toToken(match.slice(0, match.length - letter.length), formula, false)
}

function toToken(raw: string, formula: string, isDisplay: boolean): FormulaToken {
  return { type: 'formula', raw, source: formula.trim(), isDisplay }
}

/** Ends words and paragraphs where a formula may begin. */
class FormulaTokenizer extends BoundedTokenizer {
  override inlineText(source: string) {
    const next = source.slice(0, piece).indexOf('$', 1)
    return super.inlineText(next > 0 ? source.slice(0, next) : source)
  }

  override paragraph(source: string) {
    const whole = this.rules.block.paragraph.exec(source)?.[0] ?? ''
    const at = whole.search(beginsBlock)
    return super.paragraph(at > 0 && readBlock(source.slice(at + 1)) ? source.slice(0, at + 1) : source)
  }
}
