import { useMemo, useSyncExternalStore } from 'react'
import { estimateFrameHeight, frameDocument, type FrameLook } from './sandboxed-html.ts'

/** HTML that a guest made. It is content: no script, no origin, no request leaves the frame. */
export function HtmlFrame({
  html,
  fills = false,
}: {
  html: string
  /** It takes the height of its parent. */ fills?: boolean
}) {
  const theme = useSyncExternalStore(watchTheme, () => document.documentElement.dataset['theme'])
  const page = useMemo(() => frameDocument(html, readLook(theme === 'dark')), [html, theme])
  return (
    <div
      className={fills ? 'h-full' : 'max-w-full resize-y overflow-hidden rounded-sm'}
      style={fills ? {} : { height: estimateFrameHeight(html), minHeight: 40 }}
    >
      <iframe title="HTML shown by the run" sandbox="" srcDoc={page} className="block size-full border-0" />
    </div>
  )
}

function watchTheme(listener: () => void): () => void {
  const observer = new MutationObserver(listener)
  observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => observer.disconnect()
}

function readLook(dark: boolean): FrameLook {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(name).trim()
  return {
    text: of('--text'),
    muted: of('--text-muted'),
    line: of('--line'),
    surface: of('--surface'),
    scheme: dark ? 'dark' : 'light',
  }
}
