import { useNavigate } from '@tanstack/react-router'
import { Upload } from 'lucide-react'
import { useRef } from 'react'
import { useAgentList } from '../../../data/library/agent.ts'
import { useThreadImport } from '../../../data/thread/thread-import.ts'
import { IconButton } from '../../../ui/icon-button.tsx'
import { toast } from '../../../ui/toast/toast.ts'

type Imported = Parameters<ReturnType<typeof useThreadImport>['mutateAsync']>[0]['body']

// browsers do not know the type everywhere
function isMarkdown({ name, type }: File): boolean {
  return type === 'text/markdown' || /\.(?:md|markdown)$/i.test(name)
}

/** Brings in a conversation that was exported, or a notebook of Jupyter as one. */
export function ThreadImport() {
  const picker = useRef<HTMLInputElement>(null)
  const bring = useThreadImport()
  const navigate = useNavigate()
  const agents = useAgentList({ status: 'active' }).items?.map(({ name }) => name) ?? []
  const agent = agents.includes('coder') ? 'coder' : agents[0]
  function toBody(name: string, read: Imported): Imported {
    const ending = /\.ipynb$/i
    if (!ending.test(name)) return read
    if (agent === undefined) throw new Error('A notebook becomes a conversation with an agent: create an agent first.')
    return { kind: 'notebook', title: name.replace(ending, '') || 'Notebook', agent, notebook: read as never }
  }
  async function read(file: File) {
    try {
      const text = await file.text()
      // the server checks what is in it
      const body = isMarkdown(file)
        ? { kind: 'markdown' as const, text }
        : toBody(file.name, JSON.parse(text) as Imported)
      const { id } = await bring.mutateAsync({ body })
      await navigate({ to: '/threads/$id', params: { id } })
    } catch (error) {
      const isNoJson = error instanceof SyntaxError
      const description = isNoJson
        ? 'The file is neither an exported conversation nor a notebook.'
        : (error as Error).message
      toast({ title: `${file.name} was not imported`, description, tone: 'error' })
    }
  }
  return (
    <>
      <input
        ref={picker}
        type="file"
        hidden
        accept="application/json,.json,text/markdown,.md,.ipynb"
        aria-label="Exported conversation"
        onChange={(event) => {
          const [file] = event.target.files ?? []
          if (file) void read(file)
          event.target.value = ''
        }}
      />
      <IconButton
        label="Import a conversation"
        icon={<Upload aria-hidden />}
        busy={bring.isPending}
        onClick={() => picker.current?.click()}
      />
    </>
  )
}
