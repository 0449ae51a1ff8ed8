import type { TurnEnding } from '@coherex/contract'
import { CircleAlert, CirclePause, Play } from 'lucide-react'
import { Button } from '../../../../ui/button.tsx'

const failures: readonly TurnEnding['kind'][] = ['model', 'interrupted', 'rights', 'replay', 'internal']

interface TurnEndProps {
  ending: TurnEnding
  isLocked: boolean
  onContinue: () => void
}

/** Why a turn ended before it was done, and the way on. */
export function TurnEnd({ ending, isLocked, onContinue }: TurnEndProps) {
  const failed = failures.includes(ending.kind)
  const Icon = failed ? CircleAlert : CirclePause
  return (
    <div
      role="note"
      className={`flex flex-wrap items-center gap-x-3 gap-y-2 rounded-md px-3 py-2 text-dense ${failed ? 'bg-red-soft text-red' : 'bg-amber-soft text-amber'}`}
    >
      <Icon aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 break-words">{ending.message}.</span>
      {!isLocked && ending.kind !== 'answered' && (
        <Button size="small" icon={<Play aria-hidden />} onClick={onContinue}>
          Continue
        </Button>
      )}
    </div>
  )
}
