import { useNavigate, useParams } from '@tanstack/react-router'
import { useRight } from '../../data/access/rights.ts'
import { useAgentCreate, useAgentTemplates } from '../../data/library/agent.ts'
import { LoadingPage } from '../../shell/loading-page.tsx'
import { usePageTitle } from '../../shell/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Reason } from '../../ui/reason.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { AgentEditor } from './agent-editor.tsx'

const blank = `kind: agent
name: my-agent
description: What it is for, in one sentence
instructions: |
  What it does, and how.
tools: [files]
`

/** A definition that is not stored yet. */
export function NewAgentPage() {
  const { template } = useParams({ from: '/shell/team-places/agents/new/$template' })
  const templates = useAgentTemplates()
  const create = useAgentCreate()
  const right = useRight('editor', 'create agents')
  const navigate = useNavigate()
  usePageTitle('New agent')
  if (templates.error && !templates.data) {
    return <ErrorState doing="load the template" error={templates.error} onRetry={() => void templates.refetch()} />
  }
  if (!templates.data) return <LoadingPage />
  const found = templates.data.items.find(({ id }) => id === template)
  return (
    <AgentEditor
      key={template}
      draftName={`new-${template}`}
      title="New agent"
      initial={found?.source ?? blank}
      canEdit={right.may}
      actions={({ source, isValid, forget }) => (
        <Reason why={right.why}>
          <Button
            look="primary"
            disabled={!right.may || !isValid}
            busy={create.isPending}
            onClick={() =>
              create.mutate(
                { body: { source, note: '' } },
                {
                  onSuccess({ name, status }) {
                    forget()
                    toast({ title: `${name} is ${status}` })
                    void navigate({ to: '/agents/$name', params: { name } })
                  },
                  onError: (error) =>
                    toast({ title: 'The agent was not created', description: error.message, tone: 'error' }),
                },
              )
            }
          >
            Create agent
          </Button>
        </Reason>
      )}
    />
  )
}
