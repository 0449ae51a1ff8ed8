import { Page } from '../../shell/page.tsx'
import { TeamRules } from './team-rules.tsx'
import { ToolRules } from './tool-rules.tsx'

export function ApprovalRulesPage() {
  return (
    <Page
      title="Approval rules"
      description="What agents of the team may do only when a person says so. Questions arrive in the inbox of every editor."
    >
      <TeamRules />
      <ToolRules />
    </Page>
  )
}
