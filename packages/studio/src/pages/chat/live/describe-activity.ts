import type { Activity, MessagePart, Turn } from '@coherex/contract'
import { hintOf, isToolPart, titleOf, toolNameOf, toolState } from '../message/tool/tool-words.ts'
import { activityLine } from '../thread-words.ts'

/** What an agent does right now, by the parts of the answer it writes: what people read is what they see. */
export function describeActivity(
  parts: readonly MessagePart[],
  activity: Activity,
  turn: Pick<Turn, 'position' | 'wakesAt'> | undefined,
): string {
  if (activity !== 'thinking' && activity !== 'executing') return activityLine(activity, turn)
  const last = parts.at(-1)
  if (last?.type === 'text' && last['state'] === 'streaming' && last['text'] !== '') return 'Writing'
  if (last && isToolPart(last) && last['state'] === 'input-streaming') return `Preparing ${titleOf(last).toLowerCase()}`
  const running = parts.filter((part) => isToolPart(part) && toolState(part, true) === 'working')
  const [first] = running
  if (!first) return 'Thinking'
  const more = running.length > 1 ? `, and ${running.length - 1} more` : ''
  return [runningWords(first), hintOf(first)].filter(Boolean).join(' · ') + more
}

function runningWords(part: MessagePart): string {
  const name = toolNameOf(part)
  const language = (part['input'] as { language?: unknown } | undefined)?.language
  if (name === 'run_code' && typeof language === 'string') return `Running ${language}`
  return name === 'bash' ? 'Running bash' : titleOf(part)
}
