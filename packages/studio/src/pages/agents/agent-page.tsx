import { CoherexError, formatDuration, type Agent } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { MessageSquare } from 'lucide-react'
import { lazy, Suspense } from 'react'
import { agentQuery, useAgentCreate, useAgentPut } from '../../data/agent.ts'
import { useRight } from '../../data/rights.ts'
import { LoadingPage } from '../../shell/loading-page.tsx'
import { usePageTitle } from '../../shell/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Reason } from '../../ui/reason.tsx'
import { toast } from '../../ui/toast.ts'
import { formatCost, formatTokens } from '../../words/tokens.ts'
import { AgentActions } from './agent-actions.tsx'
import { AgentEditor, type EditorState } from './agent-editor.tsx'
import { AgentProposals } from './agent-proposals.tsx'
import { AgentStatusPill } from './agent-status.tsx'
import { AgentVersions } from './agent-versions.tsx'
import { NewerVersion } from './newer-version.tsx'

const VariablesPanel = lazy(async () => ({
  default: (await import('../variables/variables-panel.tsx')).VariablesPanel,
}))
const TriggersTab = lazy(async () => ({ default: (await import('./triggers-tab.tsx')).TriggersTab }))

export function AgentPage() {
  const { name } = useParams({ from: '/shell/team-places/agents/$name' })
  const agent = useQuery(agentQuery(name))
  usePageTitle(name)
  if (agent.error && !agent.data) {
    return <ErrorState doing={`open the agent ${name}`} error={agent.error} onRetry={() => void agent.refetch()} />
  }
  return agent.data ? <AgentDetails key={name} agent={agent.data} /> : <LoadingPage />
}

function describeUse({ turns, inputTokens, outputTokens, costUsd, durationMs }: Agent['use']): string {
  const counted = turns === 1 ? '1 turn' : `${turns} turns`
  return `${counted}, ${formatTokens(inputTokens + outputTokens)} tokens, ${formatCost(costUsd)}, ${formatDuration(durationMs)}`
}

function AgentDetails({ agent }: { agent: Agent }) {
  const { name, version, newestVersion, proposals, status, isBuiltIn } = agent
  const right = useRight('editor', 'change agents')
  const put = useAgentPut()
  const create = useAgentCreate()
  const isBehind = ({ isChanged, base }: EditorState) => isChanged && base !== version

  function save({ source, base, saved }: EditorState) {
    const told = {
      onSuccess(stored: Agent) {
        saved(stored.version)
        toast({ title: `Version ${stored.version} of ${stored.name} is saved` })
      },
      onError(error: Error) {
        const isOld = error instanceof CoherexError && error.code === 'conflict'
        const title = isOld ? 'Someone saved another version first' : 'It was not saved'
        toast({ title, description: error.message, tone: 'error' })
      },
    }
    // a team's own agent of the same name takes the place of a built-in one
    if (isBuiltIn) create.mutate({ body: { source, note: '' } }, told)
    else put.mutate({ params: { name }, body: { source, note: '', expectedVersion: base } }, told)
  }

  return (
    <AgentEditor
      draftName={name}
      title={
        <>
          <span className="truncate">{name}</span>
          <AgentStatusPill status={status} />
          <span className="text-small font-normal whitespace-nowrap text-muted">
            {isBuiltIn ? 'built in' : `version ${version}`}
            {agent.use.turns > 0 && <span className="hidden tabular lg:inline"> · {describeUse(agent.use)}</span>}
          </span>
        </>
      }
      initial={agent.source}
      version={version}
      canEdit={right.may}
      notice={(state) => isBehind(state) && <NewerVersion agent={agent} state={state} />}
      actions={(state) => (
        <>
          {state.isChanged && (
            <Button look="quiet" onClick={state.forget}>
              Discard changes
            </Button>
          )}
          {status === 'active' && (
            <LinkButton to="/threads" search={{ agent: name }}>
              <MessageSquare aria-hidden /> Chat
            </LinkButton>
          )}
          <Reason why={right.why}>
            <Button
              look="primary"
              disabled={!right.may || !state.isChanged || !state.isValid || isBehind(state)}
              busy={put.isPending || create.isPending}
              onClick={() => save(state)}
            >
              {isBuiltIn ? 'Save as ours' : `Save version ${newestVersion + 1}`}
            </Button>
          </Reason>
          <AgentActions agent={agent} />
        </>
      )}
      firstTab={proposals > 0 ? 'proposals' : 'check'}
      moreTabs={[
        ...(proposals > 0
          ? [
              {
                value: 'proposals',
                label: 'Proposals',
                count: proposals,
                content: <AgentProposals agent={agent} />,
              },
            ]
          : []),
        ...(isBuiltIn
          ? []
          : [
              { value: 'versions', label: 'Versions', content: <AgentVersions agent={agent} /> },
              {
                value: 'triggers',
                label: 'Triggers',
                count: agent.definition.triggers?.length,
                content: (
                  <Suspense>
                    <TriggersTab agent={agent} />
                  </Suspense>
                ),
              },
              {
                value: 'variables',
                label: 'Variables',
                content: (
                  <Suspense>
                    <VariablesPanel owner={{ kind: 'agent', name }} />
                  </Suspense>
                ),
              },
            ]),
      ]}
    />
  )
}
