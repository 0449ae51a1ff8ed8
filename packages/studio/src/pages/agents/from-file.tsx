import { useNavigate } from '@tanstack/react-router'
import { FileUp } from 'lucide-react'
import { useRef } from 'react'
import { layDraft } from '../../ui/state/draft.ts'
import { toast } from '../../ui/toast/toast.ts'
import { useDraftKey } from '../definitions/draft-key.ts'

const template = 'file'
// as much as the server takes
const largestBytes = 200_000

/** Begins with a definition that was exported. It is looked at before it is stored. */
export function FromFile() {
  const input = useRef<HTMLInputElement>(null)
  const draftKey = useDraftKey('agent', `new-${template}`)
  const navigate = useNavigate()

  async function read(file: File) {
    const refuse = (why: string) => toast({ title: `${file.name} was not read`, description: why, tone: 'error' })
    if (file.size > largestBytes) return refuse('It is larger than 200 KB, too large for a definition.')
    try {
      const source = new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer())
      layDraft(draftKey, { source })
    } catch {
      return refuse('It is not text: a definition is YAML or JSON.')
    }
    return navigate({ to: '/agents/new/$template', params: { template } })
  }

  return (
    <>
      <input
        ref={input}
        type="file"
        accept=".yaml,.yml,.json"
        aria-label="File with a definition"
        className="sr-only"
        tabIndex={-1}
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) void read(file)
          event.target.value = ''
        }}
      />
      <button
        type="button"
        onClick={() => input.current?.click()}
        className="flex w-full gap-3 rounded-md px-2 py-2 text-left hover:bg-hover"
      >
        <FileUp aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
        <span className="min-w-0">
          <span className="block text-body font-medium">From a file</span>
          <span className="block text-dense text-muted">A definition that was exported, here or elsewhere</span>
        </span>
      </button>
    </>
  )
}
