import type { McpTool, McpTools as Tools, McpToolStatus } from '@coherex/contract'
import { useState } from 'react'
import { Changes } from '../../../change/changes.tsx'
import { useMcpServerApprove } from '../../../data/library/mcp-server.ts'
import { Button } from '../../../ui/button.tsx'
import { Callout } from '../../../ui/callout.tsx'
import { Checkbox } from '../../../ui/field/checkbox.tsx'
import { FormError } from '../../../ui/field/form-error.tsx'
import { Pill } from '../../../ui/pill.tsx'
import { toast } from '../../../ui/toast/toast.ts'

interface McpToolsProps {
  name: string
  tools: Tools
  canApprove: boolean
  onDecided?: () => void
}

const tones: Record<McpToolStatus, 'green' | 'blue' | 'amber' | 'red' | 'grey'> = {
  approved: 'green',
  new: 'blue',
  changed: 'amber',
  refused: 'red',
  gone: 'grey',
}

/** The tools of a server as its server tells them now, with what changed; an admin ticks those that agents may use. */
export function McpTools({ name, tools: { hash, items }, canApprove, onDecided }: McpToolsProps) {
  const approve = useMcpServerApprove()
  const may = ({ status }: McpTool) => status !== 'refused' && status !== 'gone'
  const [ticked, setTicked] = useState(() => {
    // what changed since somebody looked at it is ticked by hand
    const trusted = items.filter(({ status }) => status === 'approved' || status === 'new')
    return new Set(trusted.map((tool) => tool.name))
  })
  const tick = (tool: string, isOn: boolean) => {
    const next = new Set(ticked)
    if (isOn) next.add(tool)
    else next.delete(tool)
    setTicked(next)
  }
  const isSame = items
    .filter(may)
    .every(({ name: tool, status }) => status !== 'changed' && (status === 'approved') === ticked.has(tool))
  if (items.length === 0) return <p className="text-dense text-muted">It has told of no tools yet.</p>
  return (
    <div className="flex min-w-0 flex-col gap-3">
      <ul aria-label={`Tools of ${name}`} className="flex min-w-0 flex-col gap-3">
        {items.map((tool) => (
          <li key={tool.name} className="flex min-w-0 flex-col gap-2">
            <span className="flex flex-wrap items-start gap-x-3 gap-y-1">
              <span className="min-w-0 flex-1">
                <Checkbox
                  checked={ticked.has(tool.name)}
                  disabled={!canApprove || !may(tool)}
                  hint={tool.description}
                  onChange={(isOn) => tick(tool.name, isOn)}
                >
                  <code className="text-dense break-all">{tool.name}</code>
                </Checkbox>
              </span>
              {tool.isReadOnly && <Pill tone="grey">reads only</Pill>}
              {tool.view !== null && <Pill tone="grey">shows a view</Pill>}
              <Pill tone={tones[tool.status]}>{tool.status}</Pill>
            </span>
            {tool.problem !== null && <Callout tone="warning">{tool.problem}</Callout>}
            {tool.diff !== '' && <Changes diff={tool.diff} label={`What changed in ${tool.name}`} />}
          </li>
        ))}
      </ul>
      <FormError error={approve.error} />
      {canApprove && (
        <div>
          <Button
            look="primary"
            disabled={isSame}
            busy={approve.isPending}
            onClick={() =>
              approve.mutate(
                { params: { name }, body: { hash, tools: [...ticked] } },
                {
                  onSuccess() {
                    toast({ title: `Agents may use ${ticked.size} ${ticked.size === 1 ? 'tool' : 'tools'} of ${name}` })
                    onDecided?.()
                  },
                },
              )
            }
          >
            Approve {ticked.size} {ticked.size === 1 ? 'tool' : 'tools'}
          </Button>
        </div>
      )}
    </div>
  )
}
