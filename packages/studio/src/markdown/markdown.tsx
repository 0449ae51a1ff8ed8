import type { Token, Tokens } from 'marked'
import { Fragment, lazy, memo, Suspense, use, useMemo, type ComponentType, type ReactNode } from 'react'
import { FenceShown, type ShownFence } from './fence-shown.tsx'
import type { FormulaProps } from './formula.tsx'
import type { FormulaToken } from './lex-formulas.ts'
import { lexWithin } from './lex-within.ts'
import { RemoteImage } from './remote-image.tsx'
import { safeAddress } from './safe-address.ts'
import { lexPlain, useLexer } from './use-lexer.ts'

const Formula = lazy(async (): Promise<{ default: ComponentType<FormulaProps> }> => {
  try {
    return { default: (await import('./formula.tsx')).Formula }
  } catch {
    // what draws them cannot be loaded: their source is shown
    return { default: ({ raw }) => raw }
  }
})

/**
 * Markdown as elements, made from its tokens. HTML in it stays text: nothing is ever parsed as a page, so that there is
 * nothing to clean.
 */
export function Markdown({ text, part }: { text: string; part?: number }) {
  const lex = useLexer(text)
  const tokens = useMemo(() => placeFences(lexWithin(text, lex), part), [lex, text, part])
  return (
    // the same words are other tokens to another lexer
    <div
      key={lex === lexPlain ? 'plain' : 'formulas'}
      className="flex min-w-0 flex-col gap-3 text-body leading-[22px] break-words"
    >
      {tokens.map((token, index) => (token.type === 'space' ? null : <Block key={index} token={token} />))}
    </div>
  )
}

// while an answer grows, only its last block is new
const Block = memo(
  ({ token }: { token: Token }) => <>{renderBlock(token)}</>,
  (before, after) =>
    before.token.raw === after.token.raw &&
    before.token.type === after.token.type &&
    (before.token as FenceToken).before?.length === (after.token as FenceToken).before?.length,
)

/** Code, with what tells it from another with the same text. */
type FenceToken = Tokens.Code & Partial<Pick<ShownFence, 'part' | 'before'>>

/** Writes to each fence which part of a message it is in and which fences are before it. */
function placeFences(tokens: Token[], part: number | undefined): Token[] {
  const seen: ShownFence['before'][number][] = []
  const visit = (token: Token) => {
    if (token.type === 'code') {
      Object.assign(token, { part, before: [...seen] })
      seen.push({ text: (token as Tokens.Code).text, words: (token as Tokens.Code).lang ?? '' })
    }
    const { tokens: within = [], items = [] } = token as Tokens.Generic
    for (const one of [...within, ...(items as Token[])]) visit(one)
  }
  for (const token of tokens) visit(token)
  return tokens
}

const headingClass = ['text-lead font-semibold', 'text-lead font-semibold', 'text-body font-semibold']

function renderBlock(token: Token): ReactNode {
  switch (token.type) {
    case 'heading': {
      const { depth, tokens } = token as Tokens.Heading
      // the page has its own first and second heading
      const Tag = depth <= 2 ? 'h3' : 'h4'
      return <Tag className={headingClass[depth - 1] ?? 'text-body font-medium'}>{inline(tokens)}</Tag>
    }
    case 'code': {
      const { text, lang, part, before = [] } = token as FenceToken
      return <Fence text={text} words={lang ?? ''} part={part} before={before} />
    }
    case 'blockquote':
      return (
        <blockquote className="flex flex-col gap-2 border-l-2 border-line-strong pl-3 text-muted">
          {blocks((token as Tokens.Blockquote).tokens)}
        </blockquote>
      )
    case 'list':
      return <List {...(token as Tokens.List)} />
    case 'table':
      return <DataTable {...(token as Tokens.Table)} />
    case 'formula':
      return renderFormula(token as FormulaToken)
    case 'hr':
      return <hr className="border-line" />
    case 'html':
      return <p className="whitespace-pre-wrap">{token.raw.trim()}</p>
    case 'plain':
      return (
        <>
          <p className="text-small text-muted">
            What follows is too long to be laid out. It is shown as it was written.
          </p>
          <p className="whitespace-pre-wrap">{token.raw}</p>
        </>
      )
    case 'def':
    case 'space':
      return null
    default:
      return <p>{inline('tokens' in token && token.tokens ? token.tokens : [token])}</p>
  }
}

function Fence(fence: ShownFence) {
  return use(FenceShown)(fence)
}

function blocks(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => (
    <Fragment key={index}>
      {/* tight lists hold text without a paragraph around it */}
      {token.type === 'text' ? inline((token as Tokens.Text).tokens ?? [token]) : renderBlock(token)}
    </Fragment>
  ))
}

function List({ ordered, start, items }: Tokens.List) {
  const lines = items.map((item, index) => (
    <li key={index} className="pl-1">
      {item.task && <span className="mr-1.5">{item.checked ? '☑' : '☐'}</span>}
      <div className="inline-flex max-w-full flex-col gap-1.5 align-top">
        <div className="min-w-0">{blocks(item.tokens.filter(({ type }) => type !== 'checkbox'))}</div>
      </div>
    </li>
  ))
  const className = 'flex flex-col gap-1 pl-5 marker:text-muted'
  return ordered ? (
    <ol start={start === '' ? 1 : start} className={`${className} list-decimal`}>
      {lines}
    </ol>
  ) : (
    <ul className={`${className} list-disc`}>{lines}</ul>
  )
}

function DataTable({ header, rows }: Tokens.Table) {
  const cellClass = 'border-b border-line px-2.5 py-1.5 align-top'
  return (
    <div
      tabIndex={0}
      role="region"
      aria-label="Table"
      className="max-w-full overflow-x-auto rounded-md border border-line"
    >
      <table className="w-full border-separate border-spacing-0 text-dense">
        <thead>
          <tr>
            {header.map((cell, index) => (
              <th
                key={index}
                style={{ textAlign: cell.align ?? 'left' }}
                className={`${cellClass} bg-sunken font-medium`}
              >
                {inline(cell.tokens)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="[&>tr:last-child>td]:border-0">
          {rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column} style={{ textAlign: cell.align ?? 'left' }} className={cellClass}>
                  {inline(cell.tokens)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function inline(tokens: readonly Token[]): ReactNode {
  return tokens.map((token, index) => <Fragment key={index}>{renderInline(token)}</Fragment>)
}

function renderInline(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong className="font-semibold">{inline((token as Tokens.Strong).tokens)}</strong>
    case 'em':
      return <em>{inline((token as Tokens.Em).tokens)}</em>
    case 'del':
      return <del>{inline((token as Tokens.Del).tokens)}</del>
    case 'codespan':
      return <code className="rounded-sm bg-grey-soft px-1 py-0.5 text-[0.9em]">{(token as Tokens.Codespan).text}</code>
    case 'br':
      return <br />
    case 'formula':
      return renderFormula(token as FormulaToken)
    case 'link':
      return <WebLink {...(token as Tokens.Link)} />
    case 'image': {
      const { href, text } = token as Tokens.Image
      return <RemoteImage address={href} alt={text} />
    }
    case 'text':
    case 'escape': {
      const { tokens, text } = token as Tokens.Text
      return tokens ? inline(tokens) : text
    }
    default:
      return token.raw
  }
}

function renderFormula({ source, raw, isDisplay }: FormulaToken): ReactNode {
  const words = raw.trim()
  return (
    <Suspense fallback={words}>
      <Formula source={source} raw={words} isDisplay={isDisplay} />
    </Suspense>
  )
}

function WebLink({ href, tokens }: Tokens.Link) {
  const address = safeAddress(href)
  if (address === undefined) return <span title={href}>{inline(tokens)}</span>
  return (
    <a
      href={address}
      title={address}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="font-medium text-accent-text underline decoration-current/30 underline-offset-2 hover:decoration-current"
    >
      {inline(tokens)}
    </a>
  )
}
