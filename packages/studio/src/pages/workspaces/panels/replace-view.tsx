import type { ReplacedFile } from '@coherex/contract'
import { useState } from 'react'
import { FileChange } from '../../../change/file-change.tsx'
import { usePreviewReplace, type TextQuery } from '../../../data/file.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/field/form-error.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { countWords, useReplaceTexts } from './use-replace-texts.ts'

interface ReplaceViewProps {
  id: string
  live: LiveWorkspace
  query: TextQuery
  replacement: string
  onReplacement: (text: string) => void
}

/** Replaces what was found in all files: first shown as changes, then made as one version, which can be undone. */
export function ReplaceView({ id, live, query, replacement, onReplacement }: ReplaceViewProps) {
  const [planned, setPlanned] = useState<readonly ReplacedFile[]>()
  const preview = usePreviewReplace()
  const replace = useReplaceTexts(live, id, query)
  const places = planned?.reduce((sum, { count }) => sum + count, 0) ?? 0

  async function plan() {
    // the server replaces in what it has
    await live.stored()
    preview.mutate(
      { params: { id }, body: { ...query, replacement, preview: true } },
      { onSuccess: ({ items }) => setPlanned(items) },
    )
  }

  return (
    <div className="flex shrink-0 flex-col gap-2 border-b border-line p-3">
      <div className="flex gap-2">
        <Input
          aria-label="Replace with"
          placeholder={query.regex ? 'Replace with ($1 is the first group)' : 'Replace with'}
          maxLength={1000}
          value={replacement}
          onChange={(event) => {
            onReplacement(event.target.value)
            setPlanned(undefined)
          }}
          onKeyDown={(event) => event.key === 'Enter' && void plan()}
        />
        <Button busy={preview.isPending} onClick={() => void plan()}>
          Preview
        </Button>
      </div>
      <FormError error={preview.error ?? replace.error} />
      {planned?.length === 0 && <p className="text-small text-muted">Nothing to replace.</p>}
      {planned && planned.length > 0 && (
        <>
          <Button
            look="primary"
            busy={replace.isPending}
            onClick={() => void replace.run(replacement).then((isDone) => isDone && setPlanned(undefined))}
          >
            Replace {countWords(places, 'place')} in {countWords(planned.length, 'file')}
          </Button>
          <div aria-label="Preview" role="group" className="flex max-h-96 flex-col gap-2 overflow-y-auto">
            {planned.map(({ path, diff }) => (
              <FileChange key={path} path={path} change="changed" binary={false} diff={diff} />
            ))}
          </div>
        </>
      )}
    </div>
  )
}
