import { Page } from '../../shell/page.tsx'
import { NameCard } from './name-card.tsx'
import { PasswordCard } from './password-card.tsx'
import { SessionsCard } from './sessions-card.tsx'

export function ProfilePage() {
  return (
    <Page title="Profile" description="Who you are to your teams, and where you are signed in.">
      <NameCard />
      <PasswordCard />
      <SessionsCard />
    </Page>
  )
}
