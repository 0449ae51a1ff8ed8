import type { Activity, ThreadSummary, Turn } from '@coherex/contract'
import { dayAndTime } from '../../words/relative-time.ts'

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

/** The same with how long that may be, where it is known. */
export function activityLine(activity: Activity, turn: Pick<Turn, 'position' | 'wakesAt'> | undefined): string {
  const words = activityWords[activity]
  if (activity === 'queued' && turn?.position) return `${words}, number ${turn.position}`
  if (activity === 'sleeping' && turn?.wakesAt) return `${words} until ${dayAndTime(turn.wakesAt)}`
  return words
}
