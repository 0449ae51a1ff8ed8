import { useQuery } from '@tanstack/react-query'
import { useRight } from '../../data/access/rights.ts'
import { approvalRulesQuery, useApprovalRulesSet } from '../../data/approval.ts'
import { Card } from '../../ui/card.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Select, type Choice } from '../../ui/field/select.tsx'
import { Reason } from '../../ui/reason.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { changeRule, momentOf, type RuledTool, type TeamMoment } from './change-rule.ts'

const tools: readonly { tool: RuledTool; does: string }[] = [
  { tool: 'files', does: 'reads and changes files of a workspace' },
  { tool: 'bash', does: 'runs commands in a sandbox' },
  { tool: 'run-code', does: 'runs code in a sandbox' },
  { tool: 'fetch', does: 'reads addresses' },
  { tool: 'code-mode', does: 'runs a program that calls the other tools' },
]

const choices: readonly Choice<TeamMoment>[] = [
  { value: 'never', label: 'As its definition says' },
  { value: 'first-time', label: 'The first time in a conversation' },
  { value: 'when-writing', label: 'Before something is changed' },
  { value: 'always', label: 'Every time' },
]

/** When people are asked at the least, for all agents of the team. */
export function TeamRules() {
  const query = useQuery(approvalRulesQuery)
  const right = useRight('admin', 'change the rules of the team')
  const set = useApprovalRulesSet()
  const rules = query.data?.rules
  return (
    <Card
      flush
      title="Rules of the team"
      description="When a person is asked at the least. The definition of an agent can ask more often, never less."
    >
      {!rules && query.error && (
        <ErrorState doing="load the rules" error={query.error} onRetry={() => void query.refetch()} />
      )}
      {!rules && !query.error && (
        <WaitingLines label="Loading" className="gap-3 p-5" lines={['h-8 w-full', 'h-8 w-full']} />
      )}
      {rules && (
        <ul className="divide-y divide-line">
          {tools.map(({ tool, does }) => (
            <li
              key={tool}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2 px-5 py-2.5 max-md:px-4"
            >
              <span className="min-w-0 text-dense">
                <code className="font-medium">{tool}</code> <span className="text-muted">{does}</span>
              </span>
              <div className="w-72 max-md:w-full">
                <Reason why={right.why}>
                  <Select
                    label={`When people are asked before ${tool}`}
                    value={momentOf(rules[tool])}
                    choices={choices}
                    disabled={!right.may || set.isPending}
                    onChange={(moment) => set.mutate({ body: { rules: changeRule(rules, tool, moment) } })}
                  />
                </Reason>
              </div>
            </li>
          ))}
        </ul>
      )}
      {set.error && <ErrorState doing="change the rules" error={set.error} onRetry={() => set.reset()} />}
    </Card>
  )
}
