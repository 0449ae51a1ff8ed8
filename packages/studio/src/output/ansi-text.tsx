import './ansi.css'
import type { CSSProperties } from 'react'
import { classNames } from '../ui/class-names.ts'
import type { AnsiStyle } from './ansi.ts'
import type { OutputSpan } from './output-log.ts'

/** Text as a terminal would colour it. */
export function AnsiText({ spans }: { spans: readonly OutputSpan[] }) {
  return spans.map(({ text, style }, index) =>
    style ? (
      <span key={index} className={classOf(style)} style={colourOf(style)}>
        {text}
      </span>
    ) : (
      text
    ),
  )
}

function classOf({ fg, bg, bold, dim, italic, underline, strike, inverse }: AnsiStyle): string {
  const [front, back] = inverse ? [bg, fg ?? 7] : [fg, bg]
  return classNames(
    front !== undefined && (typeof front === 'number' ? `ansi-${front}` : 'ansi-own'),
    typeof back === 'number' && `ansi-bg-${back}`,
    bold && 'font-semibold',
    dim && 'opacity-80',
    italic && 'italic',
    underline && strike
      ? '[text-decoration:underline_line-through]'
      : underline
        ? 'underline'
        : strike && 'line-through',
  )
}

/** Colours beyond the sixteen; the sheet makes them as light or dark as the theme needs them to be read. */
function colourOf({ fg, bg, inverse }: AnsiStyle): CSSProperties | undefined {
  const [front, back] = inverse ? [bg, fg] : [fg, bg]
  if (typeof front !== 'string' && typeof back !== 'string') return undefined
  return {
    ...(typeof front === 'string' ? { '--ansi-own': front } : {}),
    ...(typeof back === 'string' ? { background: `color-mix(in oklab, ${back} 25%, var(--surface))` } : {}),
  } as CSSProperties
}
