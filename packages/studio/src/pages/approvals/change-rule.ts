import type { ApprovalRule, ApprovalsByTool } from '@coherex/contract'

/** What a team can ask for; `never` leaves it to the definitions. */
export type TeamMoment = 'never' | 'first-time' | 'when-writing' | 'always'

export type RuledTool = 'files' | 'bash' | 'run-code' | 'fetch' | 'code-mode'

export function momentOf(rule: ApprovalRule | undefined): TeamMoment {
  const moment = typeof rule === 'object' ? rule.ask : rule
  return moment === undefined || moment === 'outside-allow-list' ? 'never' : moment
}

/** The rules with one changed. How long its question stands stays as it was, and so do rules for other tools. */
export function changeRule(rules: ApprovalsByTool, tool: RuledTool, moment: TeamMoment): ApprovalsByTool {
  const { [tool]: before, ...others } = rules
  if (moment === 'never') return others
  return { ...others, [tool]: typeof before === 'object' ? { ...before, ask: moment } : moment }
}
