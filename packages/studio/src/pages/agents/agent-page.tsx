import { CoherexError, formatDuration, type Agent } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { agentQuery, useAgentCreate, useAgentDiff, useAgentPut } from '../../data/library/agent.ts'
import { LoadingPage } from '../../shell/loading-page.tsx'
import { usePageTitle } from '../../shell/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Reason } from '../../ui/reason.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { formatCost, formatTokens } from '../../words/tokens.ts'
import { DefinitionTitle } from '../definitions/definition-title.tsx'
import { Comparison, NewerVersion } from '../definitions/newer-version.tsx'
import { UsedBy } from '../definitions/used-by.tsx'
import { AgentActions } from './agent-actions.tsx'
import { AgentEditor, type EditorState } from './agent-editor.tsx'
import { AgentProposals } from './agent-proposals.tsx'
import { AgentStatusPill } from './agent-status.tsx'
import { AgentVersions } from './agent-versions.tsx'

const AgentAccess = lazy(async () => ({ default: (await import('./agent-access.tsx')).AgentAccess }))
const CompareAgent = lazy(async () => ({ default: (await import('./compare-agent.tsx')).CompareAgent }))
const TryAgent = lazy(async () => ({ default: (await import('./try-agent.tsx')).TryAgent }))
const TriggersTab = lazy(async () => ({
  default: (await import('../deliveries/triggers/triggers-tab.tsx')).TriggersTab,
}))

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

function usesOf({ use, definition }: Agent): string[] {
  const triggers = definition.triggers?.length ?? 0
  return [
    use.turns === 0 ? 'No turns yet' : describeUse(use),
    ...(triggers > 0 ? [triggers === 1 ? '1 trigger' : `${triggers} triggers`] : []),
  ]
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
        const title = isOld ? 'Someone saved another version first' : `Could not save ${name}`
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
        <DefinitionTitle
          name={name}
          status={<AgentStatusPill status={status} />}
          version={isBuiltIn ? 'built in' : `version ${version}`}
          owner={isBuiltIn ? undefined : agent.owner}
          reach={agent.reach}
        />
      }
      initial={agent.source}
      version={version}
      canEdit={right.may}
      facts={agent.use.turns > 0 ? describeUse(agent.use) : undefined}
      notice={(state) =>
        isBehind(state) && (
          <NewerVersion
            version={version}
            base={state.base}
            onForget={state.forget}
            onRebase={state.rebase}
            comparison={<AgentComparison name={name} from={state.base} to={version} />}
          />
        )
      }
      trial={
        status === 'active'
          ? (state) => (
              <Suspense>
                <TryAgent agent={agent} state={state} />
              </Suspense>
            )
          : undefined
      }
      actions={(state) => (
        <>
          <Reason why={right.why}>
            <Button
              look="primary"
              disabled={!right.may || !state.isChanged || !state.isValid || isBehind(state)}
              busy={put.isPending || create.isPending}
              onClick={() => save(state)}
            >
              {isBuiltIn ? 'Save for the team' : `Save version ${newestVersion + 1}`}
            </Button>
          </Reason>
          <AgentActions agent={agent} />
        </>
      )}
      firstTab={proposals > 0 ? 'proposals' : 'edit'}
      moreTabs={(state) => [
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
        ...(status === 'active'
          ? [
              {
                value: 'compare',
                label: 'Compare',
                stays: true,
                content: (
                  <Suspense>
                    <CompareAgent agent={agent} state={state} />
                  </Suspense>
                ),
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
                    <TriggersTab of={{ kind: 'agent', name }} state={state} canEdit={right.may} />
                  </Suspense>
                ),
              },
              { value: 'used-by', label: 'Used by', content: <UsedBy what={`agent:${name}`} facts={usesOf(agent)} /> },
              {
                value: 'access',
                label: 'Access',
                content: (
                  <Suspense>
                    <AgentAccess agent={agent} />
                  </Suspense>
                ),
              },
            ]),
      ]}
    />
  )
}

function AgentComparison({ name, from, to }: { name: string; from: number; to: number }) {
  return <Comparison from={from} to={to} diff={useAgentDiff(name, { from, to })} />
}
