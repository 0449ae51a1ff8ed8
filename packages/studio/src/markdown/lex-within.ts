import { Lexer, type Token, type Tokens } from 'marked'

export type Lex = (text: string) => Token[]

/** What is shown as it was written. */
interface PlainToken extends Tokens.Generic {
  type: 'plain'
}

/** Letters that are read at once: what takes longest grows with their square. */
const longest = 20_000
const mostPieces = 3

/** The tokens of a text that may be made to take long. What goes on after three pieces is left as it was written. */
export function lexWithin(text: string, lex: Lex): Token[] {
  const tokens: Token[] = []
  let rest = text
  for (let read = 0; rest !== '' && read < mostPieces; read++) {
    const end = endOfPiece(rest)
    tokens.push(...lexOrKeep(rest.slice(0, end), lex))
    rest = rest.slice(end)
  }
  if (rest.trim() !== '') tokens.push(plain(rest))
  return tokens
}

function lexOrKeep(piece: string, lex: Lex): Token[] {
  try {
    return lex(piece)
  } catch {
    // somebody found a text that the lexer cannot read: its letters are still there
    return [plain(piece)]
  }
}

function plain(raw: string): PlainToken {
  return { type: 'plain', raw }
}

/** Where a long text can be cut: before a paragraph, and not within code. */
function endOfPiece(text: string): number {
  if (text.length <= longest) return text.length
  // code is read once, however long it is
  const code = Lexer.rules.block.gfm.fences.exec(text)
  if (code) return code[0].length
  const head = text.slice(0, longest)
  const fences = [...head.matchAll(/^ {0,3}(?:```|~~~)/gm)]
  const open = fences.length % 2 === 1 ? fences.at(-1)?.index : undefined
  return open || head.lastIndexOf('\n\n') + 1 || longest
}
