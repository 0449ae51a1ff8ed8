import { useMe } from '../../../data/access/me.ts'
import { Page } from '../../../shell/page.tsx'
import { Checklist } from './checklist.tsx'
import { InstallationCard } from './installation-card.tsx'
import { RecentActivity } from './recent-activity.tsx'
import { TeamCard } from './team-card.tsx'

/** How the team is set up, and what is left to do. */
export function OverviewPage() {
  const { team } = useMe()
  return (
    <Page title="Overview" description={`How ${team?.name ?? 'the team'} is set up, and what changed last.`} wide>
      <div className="grid items-start gap-6 max-md:gap-4 xl:grid-cols-[1fr_320px]">
        <div className="flex min-w-0 flex-col gap-6 max-md:gap-4">
          <Checklist />
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
