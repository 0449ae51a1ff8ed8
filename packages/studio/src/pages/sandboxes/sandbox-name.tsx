import type { Sandbox } from '@coherex/contract'
import { useRef, useState } from 'react'
import { useSandboxChange } from '../../data/sandbox.ts'
import { Input } from '../../ui/field/input.tsx'
import { toast } from '../../ui/toast/toast.ts'

/** The name of a sandbox, which becomes a field where it is clicked. */
export function SandboxName({ sandbox: { id, name }, mayRename }: { sandbox: Sandbox; mayRename: boolean }) {
  const [typed, setTyped] = useState<string>()
  const change = useSandboxChange()
  const isLeaving = useRef(false)
  function save() {
    const next = typed?.trim()
    setTyped(undefined)
    if (isLeaving.current || !next || next === name) return
    change.mutate(
      { params: { id }, body: { name: next } },
      {
        onError: (error) => toast({ title: 'Could not rename the sandbox', description: error.message, tone: 'error' }),
      },
    )
  }
  if (typed !== undefined) {
    return (
      <Input
        autoFocus
        aria-label="Name"
        className="h-7! max-w-96 font-semibold"
        maxLength={80}
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onFocus={(event) => {
          isLeaving.current = false
          event.target.select()
        }}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key === 'Enter') event.currentTarget.blur()
          if (event.key !== 'Escape') return
          event.stopPropagation()
          isLeaving.current = true
          event.currentTarget.blur()
        }}
      />
    )
  }
  const shown = change.isPending ? (change.variables.body?.name ?? name) : name
  return (
    <h1 className="min-w-0 truncate text-body font-semibold">
      {mayRename ? (
        <button
          type="button"
          title="Rename"
          onClick={() => setTyped(name)}
          className="max-w-full truncate rounded-sm text-left hover:bg-hover"
        >
          {shown}
        </button>
      ) : (
        shown
      )}
    </h1>
  )
}
