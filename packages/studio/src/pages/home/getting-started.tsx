import { Link, type LinkProps } from '@tanstack/react-router'
import { ArrowRight, Check } from 'lucide-react'
import { useState } from 'react'
import { useInvitationList } from '../../data/invitation.ts'
import { useKeyList } from '../../data/key.ts'
import { useMe } from '../../data/me.ts'
import { useMemberList } from '../../data/member.ts'
import { useRight } from '../../data/rights.ts'
import { useSecretList } from '../../data/secret.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { readStored, writeStored } from '../../ui/stored.ts'

interface Step {
  title: string
  why: string
  /** Undefined while it is not known. */
  done: boolean | undefined
  link: LinkProps
}

/** First steps in a team, ticked by what is really there. */
export function GettingStarted() {
  const { team } = useMe()
  const steps = useSteps()
  const hiddenKey = `steps-hidden.${team?.id}`
  const [hidden, setHidden] = useState(() => readStored(hiddenKey) === 'yes')
  if (hidden || steps.length === 0) return null

  const known = steps.every(({ done }) => done !== undefined)
  const doneCount = steps.filter(({ done }) => done).length
  return (
    <Card
      flush
      title="Getting started"
      description={known ? `${doneCount} of ${steps.length} done` : 'First steps in this team'}
      actions={
        known &&
        doneCount === steps.length && (
          <Button
            size="small"
            look="quiet"
            onClick={() => {
              writeStored(hiddenKey, 'yes')
              setHidden(true)
            }}
          >
            Hide
          </Button>
        )
      }
    >
      {known ? (
        <ol>
          {steps.map((step) => (
            <StepLine key={step.title} {...step} />
          ))}
        </ol>
      ) : (
        <Waiting label="Loading">
          {steps.map(({ title }) => (
            <div key={title} className="flex h-16 items-center gap-3 border-b border-line px-5 last:border-0">
              <Skeleton className="size-5" />
              <Skeleton className="h-4 w-64" />
            </div>
          ))}
        </Waiting>
      )}
    </Card>
  )
}

function StepLine({ title, why, done, link }: Step) {
  return (
    <li className="border-b border-line last:border-0">
      <Link
        {...link}
        className="group flex items-center gap-3.5 px-5 py-3 transition-colors last:rounded-b-lg hover:bg-hover focus-visible:-outline-offset-2 max-md:px-4"
      >
        <span
          className={classNames(
            'flex size-5 shrink-0 items-center justify-center rounded-full',
            done ? 'bg-green-soft text-green' : 'border border-control',
          )}
        >
          {done && <Check aria-label="Done" strokeWidth={3} className="size-3" />}
        </span>
        <span className="min-w-0 flex-1">
          <span className={classNames('block text-body font-medium', done && 'text-muted')}>{title}</span>
          <span className="block text-dense text-muted">{why}</span>
        </span>
        <ArrowRight
          aria-hidden
          className="size-4 shrink-0 text-muted transition-transform group-hover:translate-x-0.5 group-hover:text-text"
        />
      </Link>
    </li>
  )
}

function useSteps(): Step[] {
  const mayManage = useRight('admin', 'manage the team').may
  const maySeeSecrets = useRight('editor', 'see secrets').may
  const members = useMemberList().items
  const invitations = useInvitationList({ enabled: mayManage }).items
  const keys = useKeyList().items
  const secrets = useSecretList({ enabled: maySeeSecrets }).items
  const asAdmin: Step[] = !mayManage
    ? []
    : [
        {
          title: 'Invite a colleague',
          why: 'A team is more fun with two. They join by a link.',
          done: members && invitations && members.length + invitations.length > 1,
          link: { to: '/settings/members', search: { invite: true } },
        },
        {
          title: 'Store a secret',
          why: 'Tokens and passwords that code may use without seeing them.',
          done: secrets && secrets.length > 0,
          link: { to: '/settings/secrets', search: { create: true } },
        },
      ]
  return [
    {
      title: 'Create an API key',
      why: 'Use Coherex from the command line and from your own programs.',
      done: keys && keys.length > 0,
      link: { to: '/settings/keys', search: { create: true } },
    },
    ...asAdmin,
  ]
}
