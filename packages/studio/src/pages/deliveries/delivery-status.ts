import type { Delivery } from '@coherex/contract'
import type { Status } from '../../ui/pill.tsx'

const turnStatuses: Record<string, Status> = {
  queued: 'queued',
  running: 'running',
  waiting: 'waiting',
  sleeping: 'sleeping',
  done: 'succeeded',
  failed: 'failed',
  stopped: 'cancelled',
}

/** How a delivery goes, in the words of everything that runs. */
export function deliveryStatus({ status, turnStatus }: Delivery): Status {
  if (status === 'pending') return 'queued'
  if (status === 'failed') return 'failed'
  return status === 'refused' ? 'cancelled' : (turnStatuses[turnStatus ?? ''] ?? 'queued')
}
