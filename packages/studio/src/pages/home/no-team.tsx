import { UsersRound } from 'lucide-react'
import { useMe } from '../../data/access/me.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { useShell } from '../../shell/shell-context.ts'
import { Button } from '../../ui/button.tsx'
import { Empty } from '../../ui/empty.tsx'

export function NoTeam() {
  const { person } = useMe()
  const { openCreateTeam } = useShell()
  usePageTitle('Home')
  return (
    <div className="flex flex-1 items-center justify-center">
      <h1 className="sr-only">Home</h1>
      <Empty
        icon={UsersRound}
        title="You are not in a team"
        action={
          <Button look="primary" onClick={openCreateTeam}>
            Create team
          </Button>
        }
      >
        Everything in Coherex belongs to a team. Create one, or ask to be invited as {person.email}.
      </Empty>
    </div>
  )
}
