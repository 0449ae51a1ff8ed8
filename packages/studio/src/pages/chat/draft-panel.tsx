import { CodeText } from '../../markdown/code-block.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { CopyButton } from './message/copy-button.tsx'
import { DraftPill } from './message/draft-pill.tsx'
import type { DefinitionDraft } from './message/tool-results.ts'

/** The definition that a conversation with the builder has come to. */
export function DraftPanel({ draft }: { draft: DefinitionDraft }) {
  const { source, saved } = draft
  return (
    <>
      <header className="flex h-14 shrink-0 items-center gap-2 border-b border-line px-4">
        <h2 className="text-body font-semibold">{saved ?? 'Definition'}</h2>
        <DraftPill draft={draft} />
        <span className="flex-1" />
        <CopyButton text={source} />
        {saved && (
          <LinkButton to="/agents/$name" params={{ name: saved }}>
            Open agent
          </LinkButton>
        )}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto [&_pre]:max-h-none">
        <CodeText text={source} language="yaml" label="Definition so far" />
      </div>
    </>
  )
}
