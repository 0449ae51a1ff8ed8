import { lazy, Suspense, useMemo } from 'react'
import { Markdown } from '../../../markdown/markdown.tsx'
import { HtmlFrame } from '../../../output/html-frame.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { renderedKind } from './use-file-forms.ts'

const TextTable = lazy(async () => ({ default: (await import('./text-table.tsx')).TextTable }))

/** A text as its readers see it. */
export function RenderedText({ path, text }: { path: string; text: string }) {
  switch (renderedKind(path)) {
    case 'markdown':
      return (
        <article
          aria-label={path}
          tabIndex={0}
          className="min-h-0 flex-1 overflow-y-auto px-8 py-6 focus-visible:-outline-offset-2 max-md:px-4"
        >
          <div className="mx-auto max-w-180">
            <Markdown text={text} />
          </div>
        </article>
      )
    case 'table':
      return (
        <Suspense
          fallback={<WaitingLines label="Loading the table" className="gap-2 p-4" lines={['h-3 w-64', 'h-3 w-80']} />}
        >
          <TextTable label={path} text={text} />
        </Suspense>
      )
    case 'svg':
      return <Drawing path={path} text={text} />
    case 'html':
      return (
        <div className="flex min-h-0 flex-1 flex-col">
          <p className="shrink-0 border-b border-line px-4 py-1.5 text-small text-muted">
            The page without its scripts and without anything it would load from elsewhere.
          </p>
          <div className="min-h-0 flex-1 overflow-auto">
            <HtmlFrame html={text} fills />
          </div>
        </div>
      )
    case 'notebook':
    case undefined:
      return null
  }
}

/** As an image it runs no script and loads nothing. */
function Drawing({ path, text }: { path: string; text: string }) {
  const url = useMemo(() => `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`, [text])
  return (
    <div className="flex min-h-0 flex-1 items-start justify-center overflow-auto bg-sunken p-6">
      <img src={url} alt={path} className="max-w-full rounded-md border border-line bg-[#ffffff]" />
    </div>
  )
}
