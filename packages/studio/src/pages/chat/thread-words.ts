import type { Activity, ThreadSummary } from '@coherex/contract'

export function threadTitle({ title }: Pick<ThreadSummary, 'title'>): string {
  return title || 'New conversation'
}

/** What an agent is doing, for those who wait. */
export const activityWords: Record<Activity, string> = {
  idle: 'Ready',
  queued: 'Queued',
  thinking: 'Thinking',
  executing: 'Using tools',
  waiting: 'Waiting for a person',
  sleeping: 'Sleeping',
}
