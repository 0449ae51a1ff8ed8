import type { Agent, AgentStatus } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { Archive, CirclePause, CirclePlay, Download, Ellipsis, MessageSquare, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { useAgentChange, useAgentDelete } from '../../data/library/agent.ts'
import type { Command } from '../../shell/palette/command.ts'
import { usePageCommands } from '../../shell/palette/page-commands.ts'
import { Button } from '../../ui/button.tsx'
import { DeleteDialog } from '../../ui/dialog/delete-dialog.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { useHolds } from '../definitions/use-holds.ts'

/** What can be done with an agent beside changing its definition. */
export function AgentActions({ agent }: { agent: Agent }) {
  const { name, status, version, isBuiltIn, needs } = agent
  const [deleting, setDeleting] = useState(false)
  const remove = useAgentDelete()
  const navigate = useNavigate()
  const mayChange = useRight('editor', 'change agents').may && !isBuiltIn
  const mayDelete = useHolds(agent) && !isBuiltIn
  const setStatus = useAgentChange()
  const change = (next: AgentStatus) =>
    setStatus.mutate(
      // what was seen is what becomes active: an agent may have written another version of a draft
      { params: { name }, body: { status: next, ...(next === 'active' && { expectedVersion: version }) } },
      {
        onSuccess: () => toast({ title: `${name} is ${next}` }),
        onError: (error) => toast({ title: `${name} is still ${status}`, description: error.message, tone: 'error' }),
      },
    )
  const command = (label: string, icon: Command['icon'], run: () => void): Command => ({
    ...{ id: `agent ${label}`, group: 'This agent', words: 'agent', label, icon, run },
  })
  const chat = () => void navigate({ to: '/threads', search: { agent: name } })
  usePageCommands([
    ...(status === 'active' ? [command(`Chat with ${name}`, MessageSquare, chat)] : []),
    ...(mayChange && status === 'active' ? [command(`Pause ${name}`, CirclePause, () => change('paused'))] : []),
    ...(mayChange && status !== 'active' && needs.length === 0
      ? [command(`Activate ${name}`, CirclePlay, () => change('active'))]
      : []),
    command(`Export ${name}`, Download, () => downloadSource(agent)),
    ...(mayDelete ? [command(`Delete ${name}…`, Trash2, () => setDeleting(true))] : []),
  ])
  return (
    <>
      {status === 'draft' && mayChange && needs.length === 0 && (
        <Button busy={setStatus.isPending} onClick={() => change('active')}>
          Activate
        </Button>
      )}
      <Menu trigger={<IconButton label={`More for ${name}`} icon={<Ellipsis aria-hidden />} />}>
        {status !== 'active' && (
          <MenuItem
            icon={<CirclePlay />}
            disabled={!mayChange || needs.length > 0}
            hint={needs.length > 0 ? `It still needs ${needs.length === 1 ? 'something' : 'some things'}` : undefined}
            onSelect={() => change('active')}
          >
            Activate
          </MenuItem>
        )}
        {status === 'active' && (
          <MenuItem icon={<CirclePause />} disabled={!mayChange} onSelect={() => change('paused')}>
            Pause
          </MenuItem>
        )}
        {status !== 'archived' && (
          <MenuItem icon={<Archive />} disabled={!mayChange} onSelect={() => change('archived')}>
            Archive
          </MenuItem>
        )}
        <MenuItem icon={<Download />} onSelect={() => downloadSource(agent)}>
          Export
        </MenuItem>
        <MenuLine />
        <MenuItem
          icon={<Trash2 />}
          danger
          disabled={!mayDelete}
          hint={isBuiltIn ? 'Built in' : undefined}
          onSelect={() => setDeleting(true)}
        >
          Delete agent
        </MenuItem>
      </Menu>
      {deleting && (
        <DeleteDialog
          noun="agent"
          name={name}
          isTyped
          remove={remove}
          params={{ name }}
          onClose={() => setDeleting(false)}
          onDeleted={() => void navigate({ to: '/agents' })}
        >
          Deletes all its versions. Conversations with it stay.
        </DeleteDialog>
      )}
    </>
  )
}

function downloadSource({ name, source }: Agent): void {
  const url = URL.createObjectURL(new Blob([source], { type: 'application/yaml' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.yaml`
  link.click()
  URL.revokeObjectURL(url)
}
