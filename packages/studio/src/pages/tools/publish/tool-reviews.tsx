import type { ToolReview, ToolVersion } from '@coherex/contract'
import { Ban, Bot, Check, MessageSquare } from 'lucide-react'
import { useMe } from '../../../data/access/me.ts'
import { useRight } from '../../../data/access/rights.ts'
import { useToolAskReview, useToolReview, useToolReviews, useToolRules } from '../../../data/library/tool.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field/field.tsx'
import { FormError } from '../../../ui/field/form-error.tsx'
import { TextArea } from '../../../ui/field/text-area.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { LoadMore } from '../../../ui/list/load-more.tsx'
import { Reason } from '../../../ui/reason.tsx'
import { Time } from '../../../ui/text/time.tsx'
import { toast } from '../../../ui/toast/toast.ts'

interface ToolReviewsProps {
  name: string
  version: Pick<ToolVersion, 'version' | 'createdBy'>
  /** After a decision of mine. */
  onDecided?: (() => void) | undefined
}

/** What people, models and services said of a version, and a place to say more. */
export function ToolReviews({ name, version, onDecided }: ToolReviewsProps) {
  const reviews = useToolReviews(name, version.version)
  return (
    <section aria-label={`Reviews of version ${version.version}`} className="flex w-full max-w-160 flex-col gap-3">
      <h3 className="text-dense font-medium">Reviews</h3>
      {reviews.items?.length === 0 && <p className="text-dense text-muted">Nobody has reviewed it yet.</p>}
      {reviews.items && reviews.items.length > 0 && (
        <ul className="flex flex-col gap-2">
          {reviews.items.map((review) => (
            <ReviewLine key={review.id} review={review} />
          ))}
        </ul>
      )}
      <LoadMore pages={reviews} />
      <ReviewForm name={name} version={version} onDecided={onDecided} />
    </section>
  )
}

const decisions = {
  approve: { icon: Check, word: 'approved', tone: 'text-green' },
  reject: { icon: Ban, word: 'rejected', tone: 'text-red' },
  comment: { icon: MessageSquare, word: 'commented', tone: 'text-muted' },
} as const

function ReviewLine({ review: { decision, note, file, line, by, createdAt } }: { review: ToolReview }) {
  const { icon: Icon, word, tone } = decisions[decision]
  return (
    <li className="flex items-start gap-2 text-dense">
      <Icon aria-hidden className={`mt-0.5 size-4 shrink-0 ${tone}`} />
      <div className="min-w-0">
        <p>
          <span className="font-medium">{by.name}</span>
          {by.kind !== 'person' && <span className="text-muted"> ({by.kind})</span>} {word}{' '}
          <span className="text-muted">
            <Time at={createdAt} />
          </span>
        </p>
        {file && (
          <p className="font-mono text-small text-muted">
            {file}
            {line !== null && `:${line}`}
          </p>
        )}
        {note && <p className="break-words whitespace-pre-wrap">{note}</p>}
      </div>
    </li>
  )
}

function ReviewForm({ name, version, onDecided }: ToolReviewsProps) {
  const { person } = useMe()
  const right = useRight('editor', 'review tools')
  const rules = useToolRules().data
  const review = useToolReview()
  const ask = useToolAskReview()
  const isMine = version.createdBy.id === person.id
  const form = useForm({
    draft: `tool-review.${name}.${version.version}`,
    initial: { note: '' },
    fields: ['note'],
    send: ({ note }) => say('comment', note),
  })
  function say(decision: ToolReview['decision'], note: string) {
    return review.mutateAsync({ params: { name }, body: { version: version.version, decision, note } })
  }
  const decide = (decision: 'approve' | 'reject') =>
    void say(decision, form.values.note).then(
      () => {
        form.forget()
        toast({ title: `Version ${version.version} is ${decisions[decision].word}` })
        onDecided?.()
      },
      (error: Error) => toast({ title: 'Could not save the review', description: error.message, tone: 'error' }),
    )
  const askBy = (by: 'model' | 'service') =>
    ask.mutate(
      { params: { name }, body: { version: version.version, by } },
      { onError: (error) => toast({ title: 'No review came', description: error.message, tone: 'error' }) },
    )
  if (!right.may) return null
  const isSaid = form.values.note.trim() !== ''
  return (
    <form onSubmit={form.submit} className="flex flex-col gap-2">
      <Field label="Comment" error={form.errorOf('note')}>
        <TextArea rows={2} maxLength={4_000} {...form.text('note')} />
      </Field>
      <FormError error={form.error} />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" size="small" disabled={!isSaid} busy={form.busy}>
          Comment
        </Button>
        <Reason why={isMine ? 'You wrote this version: someone else approves it.' : undefined}>
          <Button
            size="small"
            data-act="approve"
            icon={<Check aria-hidden />}
            disabled={isMine}
            onClick={() => decide('approve')}
          >
            Approve
          </Button>
        </Reason>
        <Reason why={isSaid ? undefined : 'Say why in the comment.'}>
          <Button
            size="small"
            data-act="reject"
            icon={<Ban aria-hidden />}
            disabled={!isSaid}
            onClick={() => decide('reject')}
          >
            Reject
          </Button>
        </Reason>
        <Button
          size="small"
          look="quiet"
          icon={<Bot aria-hidden />}
          busy={ask.isPending}
          onClick={() => askBy('model')}
        >
          Ask a model
        </Button>
        {rules?.service && (
          <Button size="small" look="quiet" busy={ask.isPending} onClick={() => askBy('service')}>
            Ask the review service
          </Button>
        )}
      </div>
    </form>
  )
}
