import type { Delivery } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { useRight } from '../../data/access/rights.ts'
import { deliveryQuery, useRedeliver } from '../../data/delivery.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Code } from '../../ui/text/code.tsx'
import { toast } from '../../ui/toast/toast.ts'

const shownPayload = 20_000

/** What a trigger was sent, and what became of it. */
export function DeliveryDetails({ delivery, onRedelivered }: { delivery: Delivery; onRedelivered?: () => void }) {
  const { id, reason, threadId, tries } = delivery
  const full = useQuery(deliveryQuery(id))
  const redeliver = useRedeliver()
  const { may } = useRight('editor', 'redeliver')
  const payload = full.data?.payload
  return (
    <div className="flex flex-col gap-3 px-4 pt-1 pb-4 text-dense">
      {reason && <p className="text-amber">{reason}</p>}
      {tries > 1 && <p className="text-muted">Tried {tries} times</p>}
      {full.error && <ErrorState doing="load the payload" error={full.error} />}
      {payload === null && <p className="text-muted">The payload is no longer kept.</p>}
      {payload === '' && <p className="text-muted">No payload.</p>}
      {payload && <Code label="Payload" text={formatPayload(payload)} />}
      {full.data?.answer && (
        <section aria-label="Answer of the agent" className="border-l-2 border-line pl-3">
          <h4 className="text-small font-medium text-muted">Answer</h4>
          <p className="max-h-60 overflow-y-auto break-words whitespace-pre-wrap">{full.data.answer}</p>
        </section>
      )}
      <div className="flex gap-2">
        {threadId && (
          <LinkButton to="/threads/$id" params={{ id: threadId }}>
            Open conversation
          </LinkButton>
        )}
        {may && (
          <Button
            busy={redeliver.isPending}
            onClick={() =>
              void redeliver.mutateAsync({ params: { id } }).then(
                () => {
                  toast({ title: 'Delivered again' })
                  onRedelivered?.()
                },
                (error: Error) =>
                  toast({ title: 'Could not deliver it again', description: error.message, tone: 'error' }),
              )
            }
          >
            Deliver again
          </Button>
        )}
      </div>
    </div>
  )
}

function formatPayload(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, shownPayload)
  } catch {
    // not JSON: as it came
    return text.slice(0, shownPayload)
  }
}
