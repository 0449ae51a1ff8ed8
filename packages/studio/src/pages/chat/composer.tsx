import { ArrowUp, ImagePlus, Square, X } from 'lucide-react'
import {
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  type ClipboardEvent,
  type KeyboardEvent,
  type ReactNode,
} from 'react'
import { useDraft } from '../../ui/draft.ts'
import { IconButton } from '../../ui/icon-button.tsx'
import { toast } from '../../ui/toast.ts'
import { imageTypes, readAttachments, type Attachment } from './attachments.ts'

export interface Said {
  text: string
  files: Attachment[]
}

interface ComposerProps {
  /** What is typed is kept under this name. */
  draftName: string
  label: string
  placeholder: string
  /** Why nothing can be said now; undefined when it can. */
  why?: string | undefined
  busy?: boolean
  /** A turn is under way: the button stops it. */
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
  const draft = useDraft(`say.${draftName}`, { text: '' })
  const [files, setFiles] = useState<Attachment[]>([])
  const [takesFocus] = useState(autoFocus)
  const frame = useRef<HTMLDivElement>(null)
  const area = useRef<HTMLTextAreaElement>(null)
  const picker = useRef<HTMLInputElement>(null)
  const { text } = draft.value
  const ready = text.trim() !== '' && why === undefined && !busy && !onStop

  // a conversation can come while somebody already writes elsewhere, such as in the search: they are left there
  useLayoutEffect(() => {
    if (takesFocus && !document.activeElement?.matches('input, textarea')) area.current?.focus()
  }, [takesFocus])
  useEffect(() => {
    if (!area.current) return
    area.current.style.height = 'auto'
    area.current.style.height = `${Math.min(area.current.scrollHeight, 240)}px`
  }, [text])

  async function send() {
    if (!ready) return
    const said = await onSend({ text, files })
    if (!said) return
    setFiles([])
    // what was typed since is the next message, and whoever went elsewhere meanwhile stays there
    if (!area.current || area.current.value === text) draft.forget()
    const focused = document.activeElement
    if (focused === document.body || frame.current?.contains(focused)) area.current?.focus()
  }
  function press(event: KeyboardEvent) {
    // Enter that ends the choice of a character is not a message
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  async function attach(all: readonly File[]) {
    const { attachments, problem } = await readAttachments(all, files)
    setFiles((before) => [...before, ...attachments])
    if (problem) toast({ title: problem, tone: 'error' })
  }
  function paste(event: ClipboardEvent) {
    const images = [...event.clipboardData.files].filter(({ type }) => imageTypes.includes(type))
    if (images.length === 0) return
    event.preventDefault()
    void attach(images)
  }

  return (
    <div
      ref={frame}
      className="rounded-lg border border-control bg-surface transition-colors focus-within:border-focus focus-within:outline focus-within:outline-focus"
    >
      {files.length > 0 && (
        <ul className="flex flex-wrap gap-2 px-3 pt-3">
          {files.map(({ name, mediaType, base64 }, index) => (
            <li key={index} className="relative">
              <img
                src={`data:${mediaType};base64,${base64}`}
                alt={name}
                className="size-16 rounded-md border border-line object-cover"
              />
              <button
                type="button"
                aria-label={`Remove ${name}`}
                onClick={() => setFiles(files.filter((_, at) => at !== index))}
                className="absolute -top-1.5 -right-1.5 flex size-6 items-center justify-center rounded-full border border-line bg-raised text-muted hover:text-text"
              >
                <X aria-hidden className="size-3.5" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <textarea
        ref={area}
        aria-label={label}
        placeholder={placeholder}
        value={text}
        rows={1}
        maxLength={200_000}
        onChange={(event) => draft.change({ text: event.target.value })}
        onKeyDown={press}
        onPaste={paste}
        className="block max-h-60 min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 text-body outline-none max-md:text-lead"
      />
      <div className="flex items-center gap-1.5 px-2 pb-2">
        <div className="flex min-w-0 flex-1 flex-wrap items-center gap-1.5">{children}</div>
        <input
          ref={picker}
          type="file"
          multiple
          hidden
          accept={imageTypes.join(',')}
          onChange={(event) => {
            void attach([...(event.target.files ?? [])])
            event.target.value = ''
          }}
        />
        <IconButton label="Attach images" icon={<ImagePlus aria-hidden />} onClick={() => picker.current?.click()} />
        {onStop ? (
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
        ) : (
          <IconButton
            label={why ?? 'Send'}
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
