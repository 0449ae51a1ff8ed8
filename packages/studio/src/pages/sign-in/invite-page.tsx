import { useQuery } from '@tanstack/react-query'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useInvitationAccept, useInvitationPreview } from '../../data/access/invitation.ts'
import { meQuery } from '../../data/access/me.ts'
import { roleNames } from '../../data/access/roles.ts'
import { useSignOut } from '../../data/access/sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { Callout } from '../../ui/callout.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { EntryLayout } from './entry-layout.tsx'
import { JoinForm } from './join-form.tsx'

export function InvitePage() {
  const { token } = useParams({ from: '/invite/$token' })
  const preview = useInvitationPreview(token)
  const me = useQuery(meQuery)

  if (preview.error) {
    return (
      <EntryLayout
        title="This invitation does not work"
        description="It may have been accepted, withdrawn, or be too old. Ask whoever sent it for a new one."
      >
        <div className="flex flex-col gap-4">
          <FormError error={preview.error} />
          <LinkButton to="/">Go to Coherex</LinkButton>
        </div>
      </EntryLayout>
    )
  }
  if (!preview.data || me.isPending) {
    return (
      <EntryLayout title="Invitation">
        <Waiting label="Loading the invitation">
          <Skeleton className="mb-4 h-5 w-2/3" />
          <Skeleton className="h-10 w-full" />
        </Waiting>
      </EntryLayout>
    )
  }
  const { teamName, email, role, personExists } = preview.data
  const signedIn = me.data?.person
  return (
    <EntryLayout
      title={`Join ${teamName}`}
      description={
        <>
          You are invited as <strong className="font-medium text-text">{roleNames[role].toLowerCase()}</strong> with{' '}
          <strong className="font-medium text-text">{email}</strong>.
        </>
      }
    >
      {signedIn ? (
        <JoinAsSignedIn token={token} teamName={teamName} invited={email} signedIn={signedIn} />
      ) : personExists ? (
        <div className="flex flex-col gap-4">
          <Callout>You already have an account. Sign in to join.</Callout>
          <LinkButton to="/sign-in" search={{ next: `/invite/${token}` }} look="primary">
            Sign in to join
          </LinkButton>
        </div>
      ) : (
        <JoinForm token={token} email={email} teamName={teamName} />
      )}
    </EntryLayout>
  )
}

interface JoinAsSignedInProps {
  token: string
  teamName: string
  invited: string
  signedIn: { name: string; email: string }
}

function JoinAsSignedIn({ token, teamName, invited, signedIn }: JoinAsSignedInProps) {
  const accept = useInvitationAccept()
  const signOut = useSignOut()
  const navigate = useNavigate()
  if (signedIn.email.toLowerCase() !== invited.toLowerCase()) {
    return (
      <div className="flex flex-col gap-4">
        <Callout tone="warning">
          You are signed in as {signedIn.email}. Sign out, then open the invitation again to accept it as {invited}.
        </Callout>
        <FormError error={signOut.error} />
        <Button look="primary" className="h-10!" busy={signOut.isPending} onClick={() => signOut.mutate()}>
          Sign out
        </Button>
      </div>
    )
  }
  return (
    <div className="flex flex-col gap-4">
      <FormError error={accept.error} />
      <Button
        look="primary"
        className="h-10!"
        busy={accept.isPending}
        onClick={() =>
          accept.mutate({ body: { token } }, { onSuccess: () => void navigate({ to: '/', replace: true }) })
        }
      >
        Join {teamName} as {signedIn.name}
      </Button>
    </div>
  )
}
