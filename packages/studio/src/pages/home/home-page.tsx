import { useMe } from '../../data/me.ts'
import { Page } from '../../shell/page.tsx'
import { ChatCard } from './chat-card.tsx'
import { GettingStarted } from './getting-started.tsx'
import { InstallationCard } from './installation-card.tsx'
import { NoTeam } from './no-team.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { TeamCard } from './team-card.tsx'

export function HomePage() {
  const { person, team } = useMe()
  if (!team) return <NoTeam />
  return (
    <Page title={`Hello, ${person.name.split(' ')[0]}`} tabTitle="Home" description={`You are in ${team.name}.`} wide>
      <div className="grid items-start gap-6 max-md:gap-4 xl:grid-cols-[1fr_352px]">
        <div className="flex min-w-0 flex-col gap-6 max-md:gap-4">
          <ChatCard />
          <GettingStarted />
          <RecentActivity />
        </div>
        <div className="flex min-w-0 flex-col gap-6 max-md:gap-4">
          <TeamCard />
          <InstallationCard />
        </div>
      </div>
    </Page>
  )
}
