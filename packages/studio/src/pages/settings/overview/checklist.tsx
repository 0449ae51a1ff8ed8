import { Link, type LinkProps } from '@tanstack/react-router'
import { ArrowRight, Check } from 'lucide-react'
import { useState } from 'react'
import { useInvitationList } from '../../../data/access/invitation.ts'
import { useKeyList } from '../../../data/access/key.ts'
import { useMe } from '../../../data/access/me.ts'
import { useMemberList } from '../../../data/access/member.ts'
import { useRight } from '../../../data/access/rights.ts'
import { useModelList } from '../../../data/library/model.ts'
import { useSecretList } from '../../../data/secret.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { readStored, writeStored } from '../../../ui/state/stored.ts'

interface Step {
  title: string
  why: string
  /** Undefined while it is not known. */
  done: boolean | undefined
  link: LinkProps
}

/** First steps in a team, ticked by what is really there. */
export function Checklist() {
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
      title="Set up the team"
      description={known ? `${doneCount} of ${steps.length} done` : 'What most teams do first'}
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
      <ol>
        {steps.map((step) => (
          <StepLine key={step.title} {...step} />
        ))}
      </ol>
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
  const models = useModelList().data
  const secrets = useSecretList({ enabled: maySeeSecrets }).items
  const asAdmin: Step[] = !mayManage
    ? []
    : [
        {
          title: 'Add a model',
          why: 'Agents answer with a model of Anthropic, OpenAI, Google, Ollama or a server of your own.',
          done: models && models.defaultModel !== null,
          link: { to: '/settings/models' },
        },
        {
          title: 'Invite a colleague',
          why: 'They join by a link, with the role you choose.',
          done: members && invitations && members.length + invitations.length > 1,
          link: { to: '/settings/members', search: { invite: true } },
        },
        {
          title: 'Store a secret',
          why: 'Keys of model providers and passwords of git servers are kept encrypted.',
          done: secrets && secrets.length > 0,
          link: { to: '/secrets', search: { create: true } },
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
