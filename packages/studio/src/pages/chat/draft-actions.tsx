import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRight } from '../../data/access/rights.ts'
import { agentQuery, useAgentCreate, useAgentValidate } from '../../data/library/agent.ts'
import { Button } from '../../ui/button.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Reason } from '../../ui/reason.tsx'
import { layDraft } from '../../ui/state/draft.ts'
import { toast } from '../../ui/toast/toast.ts'
import { useDraftKey } from '../definitions/draft-key.ts'
import type { DefinitionDraft } from './message/tool/tool-results.ts'

/** What a person does with a definition that an agent wrote: a new agent, or a change of the one that has its name. */
export function DraftActions({ draft: { source, saved, isValid } }: { draft: DefinitionDraft }) {
  const right = useRight('editor', 'create agents')
  const name = useAgentValidate(source).data?.definition?.name ?? ''
  const there = useQuery({ ...agentQuery(name), enabled: name !== '' && !saved, retry: false })
  const create = useAgentCreate()
  const navigate = useNavigate()
  const draftKey = useDraftKey('agent', name)
  if (saved) {
    return (
      <LinkButton to="/agents/$name" params={{ name: saved }}>
        Open agent
      </LinkButton>
    )
  }
  if (!isValid || name === '') return null
  if (there.data) {
    return (
      <>
        <LinkButton to="/agents/$name" params={{ name }} look="quiet">
          Open agent
        </LinkButton>
        {there.data.source !== source && (
          <Reason why={right.why}>
            <Button
              look="primary"
              disabled={!right.may}
              onClick={() => {
                // the editor shows it as a change that is not saved yet
                layDraft(draftKey, { source, base: there.data.version })
                void navigate({ to: '/agents/$name', params: { name } })
              }}
            >
              Edit {name} with it
            </Button>
          </Reason>
        )}
      </>
    )
  }
  return (
    <>
      {create.error && (
        <p role="alert" className="min-w-0 text-small text-red">
          {create.error.message}
        </p>
      )}
      <Reason why={right.why}>
        <Button
          look="primary"
          disabled={!right.may}
          busy={create.isPending}
          onClick={() =>
            create.mutate(
              { body: { source, note: 'Written in a conversation' } },
              {
                onSuccess: (agent) => {
                  toast({ title: `${agent.name} is ${agent.status}` })
                  void navigate({ to: '/agents/$name', params: { name: agent.name } })
                },
                onError: () => void there.refetch(),
              },
            )
          }
        >
          Create agent
        </Button>
      </Reason>
    </>
  )
}
