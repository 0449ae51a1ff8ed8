import type { Assistance, AssistKind } from '@coherex/contract'
import { X } from 'lucide-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { FileChange } from '../../../change/file-change.tsx'
import { hunksOf, placeHunks } from '../../../change/place-hunks.ts'
import { useFileWrite } from '../../../data/file.ts'
import { useAssist } from '../../../data/inline-help.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { Markdown } from '../../../markdown/markdown.tsx'
import { Button } from '../../../ui/button.tsx'
import { Callout } from '../../../ui/callout.tsx'
import { FormError } from '../../../ui/field/form-error.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { formatTokens, knownCost } from '../../../words/tokens.ts'
import type { AskedHelp } from './use-inline-help.ts'

interface HelpAnswerProps {
  id: string
  asked: AskedHelp
  live: LiveWorkspace | undefined
  taken: ReadonlySet<string>
  onMade: (path: string) => void
  onClose: () => void
}

const titles: Record<AssistKind, string> = {
  explain: 'Explain',
  fix: 'Fix this error',
  test: 'Write a test',
  edit: 'Edit by instruction',
}

/** What a model says about a file, below its editor. What it would write is shown, and goes in when a person accepts it. */
export function HelpAnswer({ id, asked, live, taken, onMade, onClose }: HelpAnswerProps) {
  const { kind, path, language, selection, error } = asked
  const assist = useAssist()
  const write = useFileWrite()
  const [instruction, setInstruction] = useState('')
  const request = useRef<AbortController>(undefined)
  const [missing, setMissing] = useState(0)

  const ask = useEffectEvent((said?: string) => {
    request.current?.abort()
    const controller = new AbortController()
    request.current = controller
    assist.mutate({
      signal: controller.signal,
      asked: {
        ...{ kind, path, ...partNow(asked, live) },
        ...(language !== undefined && { language }),
        ...(error !== undefined && { error: error.slice(0, 8_000) }),
        ...(said && { instruction: said }),
      },
    })
  })
  useEffect(() => {
    if (kind !== 'edit') ask()
    return () => request.current?.abort()
  }, [kind])

  const answer = assist.data
  const change = answer?.change
  async function accept({ change: kindOfChange, path: to, text: made, diff }: NonNullable<Assistance['change']>) {
    if (kindOfChange === 'added') {
      const free = freePath(to, taken)
      try {
        await write.mutateAsync({ params: { id, path: free }, query: { expectedVersion: 0 }, body: made })
        toast({ title: `${free} is created` })
        onClose()
        onMade(free)
      } catch {
        // said beside the buttons
      }
      return
    }
    if (!live?.textAt(to)) return setMissing(-1)
    const { applyChanges } = await import('../../../editor/live/apply-changes.ts')
    let left = 0
    applyChanges(live, to, (now) => {
      const placed = placeHunks(now, hunksOf(diff))
      left = placed.missing
      // all of it or nothing: half an edit is none
      return left > 0 ? [] : placed.changes
    })
    if (left > 0) return setMissing(left)
    toast({ title: `${to} is changed` })
    onClose()
  }

  return (
    <section
      aria-label={`${titles[kind]}: ${path}`}
      className="flex max-h-1/2 shrink-0 flex-col border-t border-line-strong bg-canvas"
    >
      <header className="flex min-h-9 shrink-0 items-center gap-2 pr-1.5 pl-4">
        <h3 className="text-dense font-semibold">{titles[kind]}</h3>
        <span className="min-w-0 flex-1 truncate text-small text-muted">
          {path}
          {selection && ', selection'}
          {answer && ` · ${answer.model} · ${describeUse(answer)}`}
        </span>
        <IconButton label="Discard" size="small" icon={<X aria-hidden />} onClick={onClose} />
      </header>
      {kind === 'edit' && (
        <form
          className="flex shrink-0 gap-2 px-4 pb-2"
          onSubmit={(event) => {
            event.preventDefault()
            if (instruction.trim() === '') return
            setMissing(0)
            ask(instruction.trim())
          }}
        >
          <Input
            autoFocus
            aria-label="What to change"
            placeholder="What to change, such as “use async/await”"
            maxLength={4000}
            value={instruction}
            onChange={(event) => setInstruction(event.target.value)}
            onKeyDown={(event) => event.key === 'Escape' && onClose()}
          />
          <Button type="submit" look={answer ? 'secondary' : 'primary'} busy={assist.isPending}>
            {answer ? 'Ask again' : 'Ask'}
          </Button>
        </form>
      )}
      <div aria-live="polite" className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto px-4 pb-3">
        {error && kind === 'fix' && !answer && <p className="text-small whitespace-pre-wrap text-muted">{error}</p>}
        {assist.isPending && (
          <>
            <WaitingLines label="Asking the model" className="gap-2" lines={['h-3 w-64', 'h-3 w-80', 'h-3 w-52']} />
            <Button size="small" className="w-fit" onClick={onClose}>
              Cancel
            </Button>
          </>
        )}
        {assist.error && (
          <>
            <FormError error={assist.error} />
            <Button size="small" className="w-fit" onClick={() => ask(instruction.trim())}>
              Try again
            </Button>
          </>
        )}
        {change && (
          <FileChange key={change.diff} path={change.path} change={change.change} binary={false} diff={change.diff} />
        )}
        {answer && answer.answer !== '' && <Markdown text={answer.answer} />}
        {answer && !change && kind !== 'explain' && <Callout>The model changes nothing.</Callout>}
        <FormError error={write.error} />
      </div>
      {missing !== 0 && (
        <div role="status" className="shrink-0 px-4 pb-2">
          <Callout tone="warning">
            {missing < 0 ? `${path} is gone.` : `Lines of ${path} that it changes were changed since.`} Ask again for an
            edit of the file as it is now.
          </Callout>
        </div>
      )}
      {change && (
        <footer className="flex shrink-0 gap-2 border-t border-line px-4 py-2">
          <Button size="small" look="primary" busy={write.isPending} onClick={() => void accept(change)}>
            {change.change === 'added' ? 'Create file' : 'Accept'}
          </Button>
          <Button size="small" onClick={onClose}>
            Discard
          </Button>
        </footer>
      )}
    </section>
  )
}

/** The file and what is selected of it as they are now: others may have typed since it was asked first. */
function partNow({ path, text, selection }: AskedHelp, live: LiveWorkspace | undefined) {
  const now = live?.textAt(path)?.text.toString().replace(/\r\n?/g, '\n') ?? text
  if (!selection) return { text: now }
  if (now === text) return { text, selection }
  const piece = text.slice(selection.from, selection.to)
  const at = now.indexOf(piece)
  const isOnce = at >= 0 && now.indexOf(piece, at + 1) < 0
  return isOnce ? { text: now, selection: { from: at, to: at + piece.length } } : { text: now }
}

function describeUse({ use }: Assistance): string {
  return [`${formatTokens(use.inputTokens + use.outputTokens)} tokens`, ...knownCost(use.costUsd)].join(' · ')
}

/** `sum.test.ts`, or `sum-2.test.ts` where that is taken. */
function freePath(path: string, taken: ReadonlySet<string>): string {
  const slash = path.lastIndexOf('/') + 1
  const dot = path.indexOf('.', slash + 1)
  const end = dot < 0 ? path.length : dot
  for (let number = 1; ; number++) {
    const one = number === 1 ? path : `${path.slice(0, end)}-${number}${path.slice(end)}`
    if (!taken.has(one)) return one
  }
}
