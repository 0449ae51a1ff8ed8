import type { SharedArtifact } from '@coherex/contract'
import { Markdown } from '../../markdown/markdown.tsx'
import { Time } from '../../ui/text/time.tsx'
import { RunnableFences } from '../runnable-fences.tsx'

interface SharedThreadProps {
  shared: SharedArtifact
  messages: NonNullable<SharedArtifact['messages']>
}

/** A conversation that was shared: what was said, with code that runs in the browser of who reads it where that was allowed. */
export function SharedThread({ shared: { title, mode, sharedBy }, messages }: SharedThreadProps) {
  const said = messages.map(({ role, by, text, createdAt }, at) => (
    <article
      key={at}
      aria-label={`${role === 'user' ? 'Message' : 'Answer'} of ${by}`}
      className="flex flex-col gap-1.5 border-t border-line px-4 py-3"
    >
      <header className="flex items-center gap-2 text-dense">
        <span className="font-medium">{by}</span>
        <span className="text-small text-muted">
          <Time at={createdAt} />
        </span>
      </header>
      <Markdown text={text} />
    </article>
  ))
  return (
    <section aria-label={title} className="overflow-clip rounded-lg border border-line bg-surface">
      <h1 className="bg-sunken px-4 py-2.5 font-medium">{title}</h1>
      {mode === 'run' ? <RunnableFences>{said}</RunnableFences> : said}
      <footer className="flex flex-wrap gap-x-3 border-t border-line px-4 py-1.5 text-small text-muted">
        <span>Shared by {sharedBy}</span>
        {mode === 'run' && <span>Code runs in this browser, without a network.</span>}
      </footer>
    </section>
  )
}
