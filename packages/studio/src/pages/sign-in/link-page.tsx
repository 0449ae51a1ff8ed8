import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { useSignInLink } from '../../data/access/sign-in.ts'
import { FormError } from '../../ui/field/form-error.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { EntryLayout } from './entry-layout.tsx'

/** The link that the server printed: signs in at once, then leads on. */
export function LinkPage() {
  const { token } = useParams({ from: '/link/$token' })
  const navigate = useNavigate()
  const { mutateAsync, error } = useSignInLink()
  const started = useRef(false)
  useEffect(() => {
    // a link works once, and React runs effects twice while developing
    if (started.current) return
    started.current = true
    mutateAsync({ body: { token } }).then(
      (me) => navigate({ to: me.setupDone ? '/' : '/setup', replace: true }),
      () => undefined, // shown below
    )
  }, [mutateAsync, navigate, token])

  if (error) {
    return (
      <EntryLayout
        title="This link does not work"
        description="It may have been used already, or it is too old. Start the server again to get a new one, or sign in with your password."
      >
        <div className="flex flex-col gap-4">
          <FormError error={error} />
          <LinkButton to="/sign-in" look="primary">
            Sign in
          </LinkButton>
        </div>
      </EntryLayout>
    )
  }
  return (
    <EntryLayout title="Signing you in">
      <Waiting label="Signing you in">
        <Skeleton className="h-10 w-full" />
      </Waiting>
    </EntryLayout>
  )
}
