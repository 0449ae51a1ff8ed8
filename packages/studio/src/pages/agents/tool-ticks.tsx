import { builtInTools } from '@coherex/contract'
import { useEffect, useState } from 'react'
import { useAgentList } from '../../data/library/agent.ts'
import { useMcpServerList } from '../../data/library/mcp-server.ts'
import { useToolList } from '../../data/library/tool.ts'
import { Callout } from '../../ui/callout.tsx'
import { Checkbox } from '../../ui/field/checkbox.tsx'

type Editing = typeof import('./toggle-tool.ts')

const meanings: Record<string, string> = {
  files: 'Read, write, edit, search, move and delete files of the workspace',
  bash: 'Bash in the thread’s sandbox',
  'run-code': 'Python, JavaScript, TypeScript, Bash, SQL and R; variables stay, plots are shown',
  fetch: 'Addresses below network.allow',
  'code-mode': 'One program that calls the other tools',
  sleep: 'Wait for a time, and go on afterwards',
  'propose-skill': 'Write a skill down, for a person to approve',
  definitions: 'Check and show definitions, save drafts and propose changes of agents',
}

interface ToolTicksProps {
  source: string
  canEdit: boolean
  onChange: (source: string) => void
}

/** The tools of a definition as boxes to tick; a tick edits the text. */
export function ToolTicks({ source, canEdit, onChange }: ToolTicksProps) {
  const editing = useEditing()
  const agents = useAgentList({ status: 'active' }).items ?? []
  const published = useToolList({ status: 'published' }).items ?? []
  const servers = useMcpServerList().data?.items ?? []
  if (!editing) return null
  const read = editing.readTools(source)
  if (!read) {
    return (
      <div className="p-4">
        <Callout tone="warning">The form cannot read this YAML. Fix the text to choose tools.</Callout>
      </div>
    )
  }
  const { tools } = read
  const own = builtInTools.map((tool) => ({ tool: tool as string, hint: meanings[tool] ?? '' }))
  // an agent that asks itself learns nothing
  const others = agents.filter(({ name }) => name !== read.name)
  const asked = others.map(({ name, description }) => ({ tool: `agent:${name}`, hint: description }))
  const team = published.map(({ name, description }) => ({ tool: `tool:${name}`, hint: description }))
  const remote = servers.map(({ name, title, tools: { approved } }) => ({
    tool: `mcp:${name}`,
    hint: `${approved} approved ${approved === 1 ? 'tool' : 'tools'}${title ? ` of ${title}` : ''}`,
  }))
  const known = new Set([...own, ...team, ...asked, ...remote].map(({ tool }) => tool))
  const more = tools.filter((tool) => !known.has(tool)).map((tool) => ({ tool, hint: 'Named in the definition' }))
  const groups = [
    { title: 'Built in', lines: own },
    { title: 'Tools of the team', lines: team },
    { title: 'Other agents, to ask', lines: asked },
    { title: 'MCP servers', lines: remote },
    { title: 'Others', lines: more },
  ]
  return (
    <div className="flex flex-col gap-5 p-4">
      {groups
        .filter(({ lines }) => lines.length > 0)
        .map(({ title, lines }) => (
          <fieldset key={title} className="flex flex-col gap-2.5">
            <legend className="mb-2 text-dense font-medium">{title}</legend>
            {lines.map(({ tool, hint }) => (
              <Checkbox
                key={tool}
                checked={tools.includes(tool)}
                disabled={!canEdit}
                hint={hint}
                onChange={(isOn) => onChange(editing.toggleTool(source, tool, isOn))}
              >
                <code className="text-dense">{tool}</code>
              </Checkbox>
            ))}
          </fieldset>
        ))}
    </div>
  )
}

/** The part that understands YAML comes when it is first needed. */
function useEditing(): Editing | undefined {
  const [editing, setEditing] = useState<Editing>()
  useEffect(() => {
    let gone = false
    void import('./toggle-tool.ts').then((module) => !gone && setEditing(module))
    return () => {
      gone = true
    }
  }, [])
  return editing
}
