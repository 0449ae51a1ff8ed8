import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { useAgentList } from '../../data/library/agent.ts'
import { useModelList } from '../../data/library/model.ts'
import { useThreadCreate } from '../../data/thread/thread-create.ts'
import { Select } from '../../ui/field/select.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { subjectKey, useChatDock } from './chat-dock.ts'
import { Composer, type Said } from './composer/composer.tsx'
import { ModelPicker } from './composer/model-picker.tsx'
import { WorkspacePicker } from './composer/workspace-picker.tsx'

interface StartChatProps {
  /** The agent to begin with. */
  agent?: string | undefined
  autoFocus?: boolean
}

/** The first message of a conversation: to whom, where, and with which model. */
export function StartChat({ agent: first = 'coder', autoFocus = false }: StartChatProps) {
  const navigate = useNavigate()
  const right = useRight('editor', 'chat with agents')
  const agents = useAgentList({ status: 'active' }).items ?? []
  const models = useModelList().data
  const create = useThreadCreate()
  const [agent, setAgent] = useState(first)
  const dock = useChatDock()
  const [picked, setWorkspace] = useState<string | null>(null)
  const about = dock?.about
  const isAgentTried = about !== undefined && 'agent' in about
  const skill = about && 'skill' in about ? about.skill : undefined
  const definition = about && 'agent' in about ? about.definition : undefined
  const workspaceId = about && 'workspaceId' in about ? about.workspaceId : picked
  const [model, setModel] = useState<string | null>(null)
  const hasNone = models !== undefined && models.defaultModel === null && model === null
  const why = right.why ?? (hasNone ? 'There is no model yet' : undefined)

  async function begin(message: Said): Promise<boolean> {
    try {
      const place = {
        ...(workspaceId !== null && { workspaceId }),
        ...(skill && { skill }),
        ...(definition && { definition }),
      }
      const { id } = await create.mutateAsync({ body: { agent, ...place, ...(model && { model }), message } })
      if (dock) dock.onBegun(id)
      else await navigate({ to: '/threads/$id', params: { id } })
      return true
    } catch (error) {
      toast({ title: 'Could not start the conversation', description: (error as Error).message, tone: 'error' })
      return false
    }
  }

  const names = agents.some(({ name }) => name === agent) ? agents.map(({ name }) => name) : [agent, ...namesOf(agents)]
  return (
    <Composer
      draftName={about ? `new.${subjectKey(about)}` : 'new'}
      label="Message"
      placeholder={why ?? `Ask ${agent} anything`}
      why={why}
      busy={create.isPending}
      workspaceId={workspaceId}
      filePlace={workspaceId === null ? 'to the sandbox' : 'to the workspace'}
      autoFocus={autoFocus}
      // the page it leads to is there when the answer begins
      onWrite={() => void import('./thread-page.tsx')}
      onSend={begin}
    >
      {!isAgentTried && (
        <Select
          label="Agent"
          size="small"
          className="w-auto! max-w-44"
          value={agent}
          choices={names.map((name) => ({ value: name, label: name }))}
          onChange={setAgent}
        />
      )}
      {(!dock || isAgentTried || skill) && <WorkspacePicker value={picked} onChange={setWorkspace} />}
      <ModelPicker value={model} onChange={setModel} />
    </Composer>
  )
}

function namesOf(agents: readonly { name: string }[]): string[] {
  return agents.map(({ name }) => name)
}
