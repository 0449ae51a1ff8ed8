import { useState } from 'react'
import { UndoManager } from 'yjs'
import { FileChange } from '../../../change/file-change.tsx'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { replaceText } from '../../../live/replace-text.ts'
import { Button } from '../../../ui/button.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { replaceInTexts, type Replacement } from './replace-in-texts.ts'

interface ReplaceViewProps {
  live: LiveWorkspace
  find: RegExp
  isPattern: boolean
}

/** Replaces what was found in all files: first shown as changes, then made as one, which can be undone. */
export function ReplaceView({ live, find, isPattern }: ReplaceViewProps) {
  const [replacement, setReplacement] = useState('')
  const [planned, setPlanned] = useState<readonly Replacement[]>()
  const plan = () => setPlanned(replaceInTexts(live.texts(), find, { replacement, isPattern }))
  const places = planned?.reduce((sum, { count }) => sum + count, 0) ?? 0

  function replace() {
    if (!planned) return
    const texts = planned.flatMap(({ path }) => live.textAt(path)?.text ?? [])
    const undo = new UndoManager(texts, { trackedOrigins: new Set([planned]), doc: live.doc })
    live.doc.transact(() => {
      // what others typed since the preview stays: each text is replaced as it is now
      const now = replaceInTexts(
        planned.map(({ path }) => [path, live.textAt(path)?.text.toString() ?? ''] as const),
        find,
        { replacement, isPattern },
      )
      for (const { path, after } of now) {
        const found = live.textAt(path)
        if (found) replaceText(found.text, after, planned)
      }
    }, planned)
    setPlanned(undefined)
    toast({
      title: `Replaced ${places} ${places === 1 ? 'place' : 'places'} in ${planned.length} ${planned.length === 1 ? 'file' : 'files'}`,
      action: { label: 'Undo', run: () => void undo.undo() },
    })
  }

  return (
    <div className="flex shrink-0 flex-col gap-2 border-b border-line p-3">
      <div className="flex gap-2">
        <Input
          aria-label="Replace with"
          placeholder={isPattern ? 'Replace with ($0 is what was found)' : 'Replace with'}
          maxLength={1000}
          value={replacement}
          onChange={(event) => {
            setReplacement(event.target.value)
            setPlanned(undefined)
          }}
          onKeyDown={(event) => event.key === 'Enter' && plan()}
        />
        <Button onClick={plan}>Preview</Button>
      </div>
      {planned?.length === 0 && <p className="text-small text-muted">Nothing to replace.</p>}
      {planned && planned.length > 0 && (
        <>
          <Button look="primary" onClick={replace}>
            Replace {places} {places === 1 ? 'place' : 'places'} in {planned.length}{' '}
            {planned.length === 1 ? 'file' : 'files'}
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
