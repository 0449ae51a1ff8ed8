import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useAgentList } from '../../data/agent.ts'
import { useModelList } from '../../data/model.ts'
import { useRight } from '../../data/rights.ts'
import { useThreadCreate } from '../../data/thread/thread-create.ts'
import { useThreadDelete } from '../../data/thread/thread-delete.ts'
import { useThreadSay } from '../../data/thread/thread-say.ts'
import { useWorkspaceList } from '../../data/workspace.ts'
import { Select } from '../../ui/select.tsx'
import { toast } from '../../ui/toast.ts'
import { Composer, type Said } from './composer.tsx'
import { ModelPicker } from './model-picker.tsx'

const noWorkspace = 'none'

interface StartChatProps {
  /** The agent to begin with. */
  agent?: string | undefined
  autoFocus?: boolean
}

/** The first message of a conversation: to whom, where, and with which model. */
export function StartChat({ agent: first = 'coder', autoFocus = false }: StartChatProps) {
  const navigate = useNavigate()
  const right = useRight('editor', 'talk to agents')
  const agents = useAgentList({ status: 'active' }).items ?? []
  const models = useModelList().data
  const workspaces = useWorkspaceList({ archived: false }).items ?? []
  const create = useThreadCreate()
  const say = useThreadSay()
  const remove = useThreadDelete()
  const [agent, setAgent] = useState(first)
  const [workspaceId, setWorkspace] = useState(noWorkspace)
  const [model, setModel] = useState<string | null>(null)
  const hasNone = models !== undefined && models.defaultModel === null && model === null
  const why = right.why ?? (hasNone ? 'There is no model yet' : undefined)

  async function begin({ text, files }: Said): Promise<boolean> {
    let begun: string | undefined
    try {
      const place = workspaceId === noWorkspace ? {} : { workspaceId }
      const { id } = await create.mutateAsync({ body: { agent, ...place, ...(model && { model }) } })
      begun = id
      const body = { text, ...(files.length > 0 && { files }) }
      await say.mutateAsync({ params: { id }, query: { wait: 'false' }, body })
      await navigate({ to: '/threads/$id', params: { id } })
      return true
    } catch (error) {
      // one in which nothing was said would only stand in the list
      if (begun) remove.mutate({ params: { id: begun } })
      toast({ title: 'The conversation did not begin', description: (error as Error).message, tone: 'error' })
      return false
    }
  }

  const names = agents.some(({ name }) => name === agent) ? agents.map(({ name }) => name) : [agent, ...namesOf(agents)]
  return (
    <Composer
      draftName="new"
      label="Message"
      placeholder={why ?? `Ask ${agent} anything`}
      why={why}
      busy={create.isPending || say.isPending}
      autoFocus={autoFocus}
      onSend={begin}
    >
      <Select
        label="Agent"
        size="small"
        className="w-auto! max-w-44"
        value={agent}
        choices={names.map((name) => ({ value: name, label: name }))}
        onChange={setAgent}
      />
      <Select
        label="Workspace"
        size="small"
        className="w-auto! max-w-48"
        value={workspaceId}
        choices={[
          { value: noWorkspace, label: 'No workspace', hint: 'The agent has a sandbox, but no files of yours' },
          ...workspaces.map(({ id, name }) => ({ value: id as string, label: name })),
        ]}
        onChange={setWorkspace}
      />
      <ModelPicker value={model} onChange={setModel} />
    </Composer>
  )
}

function namesOf(agents: readonly { name: string }[]): string[] {
  return agents.map(({ name }) => name)
}
