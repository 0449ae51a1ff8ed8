import type { TurnRequest } from '@coherex/contract'
import { ArrowUp, Paperclip, Square } from 'lucide-react'
import {
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type DragEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { useDraft } from '../../../ui/state/draft.ts'
import { toast } from '../../../ui/toast/toast.ts'
import { useChatDock } from '../chat-dock.ts'
import { lineWords } from '../line-words.ts'
import { withPlace } from '../with-place.ts'
import { ContextChip } from './context-chip.tsx'
import { FileChip } from './file-chip.tsx'
import type { Mentions } from './mention-picker.tsx'
import { useUploads, type DraftFile } from './use-uploads.ts'

// most messages name no file
const MentionPicker = lazy(async () => ({ default: (await import('./mention-picker.tsx')).MentionPicker }))

export type Said = Pick<TurnRequest, 'text' | 'files' | 'attachments'>

interface Draft {
  text: string
  files: readonly DraftFile[]
}

interface ComposerProps {
  /** What is typed is kept under this name. */
  draftName: string
  label: string
  placeholder: string
  /** Why nothing can be said now; undefined when it can. */
  why?: string | undefined
  busy?: boolean
  /** Something is typed. */
  onWrite?: () => void
  /** Whose files can be mentioned. */
  workspaceId?: string | null | undefined
  /** Where files go, in words. */
  filePlace?: string
  /** A turn is under way: a button stops it, and what is sent is queued. */
  onStop?: (() => void) | undefined
  /** True when it was said, and the text can go. */
  onSend: (said: Said) => Promise<boolean>
  /** Left of the buttons, such as pickers. */
  children?: ReactNode
  /** Begins with the focus, unless somebody is writing. */
  autoFocus?: boolean
}

/** Where one writes: Enter sends, Shift with Enter breaks the line. */
export function Composer(props: ComposerProps) {
  const { draftName, label, placeholder, why, busy = false, onStop, onSend, children, autoFocus = false } = props
  const { filePlace = 'to the sandbox', workspaceId, onWrite } = props
  const draft = useDraft<Draft>(`say.${draftName}`, { text: '', files: [] })
  const { text, files } = draft.value
  const { uploads, add, retry, remove } = useUploads(files, (next) => draft.change({ files: next }))
  const [isOver, setOver] = useState(false)
  const [takesFocus] = useState(autoFocus)
  const frame = useRef<HTMLDivElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const dock = useChatDock()
  const mentions = useRef<Mentions>(null)
  const isUploaded = files.every(({ id }) => id !== undefined)
  const ready = text.trim() !== '' && why === undefined && !busy && isUploaded

  // a conversation can come while somebody already writes elsewhere, such as in the search: they are left there
  useLayoutEffect(() => {
    if (!takesFocus || document.activeElement?.matches('input, textarea')) return
    area.current?.focus()
    area.current?.setSelectionRange(-1, -1)
  }, [takesFocus])
  useEffect(() => {
    // where the browser does it by itself, the page is not laid out for each key
    if (!area.current || growsByItself()) return
    area.current.style.height = 'auto'
    area.current.style.height = `${Math.min(area.current.scrollHeight, 240)}px`
  }, [text])

  async function send() {
    if (!ready) return
    const attachments = files.flatMap(({ id }) => id ?? [])
    const said = await onSend({
      text: withPlace(text, {
        ...{ openFile: dock?.openFile, selected: dock?.selected },
        mentioned: mentions.current?.mentioned() ?? [],
      }),
      ...(attachments.length > 0 && { attachments }),
    })
    if (!said) return
    // what was typed since is the next message, and whoever went elsewhere meanwhile stays there
    if (area.current) draft.forgetSent({ text, files }, { files: [] })
    else draft.forget()
    const focused = document.activeElement
    if (focused === document.body || frame.current?.contains(focused)) area.current?.focus()
  }
  function press(event: KeyboardEvent) {
    // Enter that ends the choice of a character is not a message
    if (event.nativeEvent.isComposing || mentions.current?.press(event)) return
    if (event.key !== 'Enter' || event.shiftKey) return
    event.preventDefault()
    void send()
  }
  function attach(all: readonly File[]) {
    const problem = add(all)
    if (problem) toast({ title: problem, tone: 'error' })
  }
  function paste(event: ClipboardEvent) {
    const pasted = [...event.clipboardData.files]
    if (pasted.length === 0) return
    event.preventDefault()
    attach(pasted)
  }
  function drop(event: DragEvent) {
    setOver(false)
    if (event.dataTransfer.files.length === 0) return
    event.preventDefault()
    attach([...event.dataTransfer.files])
  }
  function dragOver(event: DragEvent) {
    if (!event.dataTransfer.types.includes('Files') || why !== undefined) return
    event.preventDefault()
    setOver(true)
  }

  return (
    <div
      ref={frame}
      onDragOver={dragOver}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={classNames(
        isOver && 'outline-2 outline-offset-2 outline-focus',
        'relative rounded-lg border border-control bg-surface transition-colors focus-within:border-focus focus-within:outline focus-within:outline-focus',
      )}
    >
      {files.length > 0 && (
        <ul aria-label="Attached files" className="flex flex-wrap gap-2 px-3 pt-3">
          {files.map((file) => (
            <FileChip
              key={file.key}
              file={file}
              upload={uploads.get(file.key)}
              place={filePlace}
              onRetry={() => retry(file.key)}
              onRemove={() => remove(file.key)}
            />
          ))}
        </ul>
      )}
      {dock?.openFile !== undefined && (
        <p className="flex flex-wrap gap-1 px-2.5 pt-2.5 text-small text-muted">
          <ContextChip
            label={dock.openFile}
            onLeaveOut={() => {
              dock.onLeaveOut()
              area.current?.focus()
            }}
          />
          {dock.selected && (
            <ContextChip
              label={lineWords(dock.selected)}
              onLeaveOut={() => {
                dock.onLeaveOutLines?.()
                area.current?.focus()
              }}
            />
          )}
        </p>
      )}
      {workspaceId && text.includes('@') && (
        <Suspense>
          <MentionPicker
            ref={mentions}
            workspaceId={workspaceId}
            text={text}
            area={area}
            onText={(next) => draft.change({ text: next })}
          />
        </Suspense>
      )}
      <textarea
        ref={area}
        aria-label={label}
        placeholder={placeholder}
        value={text}
        rows={1}
        maxLength={200_000}
        onChange={(event) => {
          onWrite?.()
          draft.change({ text: event.target.value })
        }}
        onKeyDown={press}
        onPaste={paste}
        className="block [field-sizing:content] max-h-60 min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 text-body outline-none max-md:text-lead"
      />
      <div className="flex items-center gap-1.5 px-2 pb-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5">{children}</div>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          aria-label="Files to attach"
          onChange={(event) => {
            attach([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <IconButton
          label="Attach files"
          icon={<Paperclip aria-hidden />}
          disabled={why !== undefined}
          onClick={() => picker.current?.click()}
        />
        {onStop && (
          <IconButton
            label="Stop"
            look="secondary"
            icon={<Square aria-hidden className="size-3! fill-current" />}
            onClick={({ detail }) => {
              onStop()
              // the button goes away: whoever pressed it with a key is not left nowhere
              if (detail === 0) area.current?.focus()
            }}
          />
        )}
        {(!onStop || text.trim() !== '') && (
          <IconButton
            label={why ?? (isUploaded ? (onStop ? 'Queue message' : 'Send') : 'Files are being uploaded')}
            shortcut={why ? '' : 'enter'}
            look="primary"
            icon={<ArrowUp aria-hidden />}
            disabled={!ready}
            busy={busy}
            onClick={() => void send()}
          />
        )}
      </div>
    </div>
  )
}

function growsByItself(): boolean {
  return globalThis.CSS?.supports?.('field-sizing', 'content') ?? false
}
