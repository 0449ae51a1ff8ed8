import { CoherexError } from '@coherex/contract'
import { KeyRound } from 'lucide-react'
import { Avatar } from '../../ui/avatar.tsx'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Meter } from '../../ui/meter.tsx'
import { allStatuses, Pill, StatusPill } from '../../ui/pill.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { Sample } from './sample.tsx'

export function StateSamples() {
  return (
    <>
      <Sample name="StatusPill">
        {allStatuses.map((status) => (
          <StatusPill key={status} status={status} />
        ))}
      </Sample>
      <Sample name="Pill, Avatar">
        <Pill>viewer</Pill>
        <Pill tone="violet">owner</Pill>
        <Pill tone="green">this one</Pill>
        <Pill tone="amber">admin</Pill>
        <Pill tone="red">expired</Pill>
        <Avatar name="Ada Lovelace" />
        <Avatar name="Grace Hopper" />
        <Avatar name="Alan" />
        <Avatar name="Acme research" shape="square" />
        <Avatar name="Barbara Liskov" size="small" />
      </Sample>
      <Sample name="Meter: fine, near, full">
        <div className="grid w-full max-w-120 gap-3">
          <Meter label="Runs at once" value={4} max={16} text="4 of 16" />
          <Meter label="Storage" value={9} max={10} text="9 of 10 GB" />
          <Meter label="Members" value={50} max={50} text="50 of 50" />
        </div>
      </Sample>
      <Sample name="Callout">
        <div className="grid w-full max-w-120 gap-2">
          <Callout>This installation sends no mail. Pass the link on yourself.</Callout>
          <Callout tone="warning">Copy the key now. It is never shown again.</Callout>
        </div>
      </Sample>
      <Sample name="Skeleton">
        <Waiting label="Loading a sample">
          <Skeleton className="mb-2 h-4 w-48" />
          <Skeleton className="h-4 w-72" />
        </Waiting>
      </Sample>
      <Card>
        <Empty icon={KeyRound} title="No keys yet" action={<Button>Create key</Button>}>
          With a key, your own scripts can use the API without your password.
        </Empty>
      </Card>
      <Card>
        <ErrorState
          doing="load the members"
          error={new CoherexError('unavailable', 'Cannot reach Coherex')}
          onRetry={() => undefined}
        />
      </Card>
    </>
  )
}
