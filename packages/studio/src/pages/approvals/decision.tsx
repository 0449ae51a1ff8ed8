import { Check, X } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { Right } from '../../data/access/rights.ts'
import { Button } from '../../ui/button.tsx'
import { Reason } from '../../ui/reason.tsx'
import { RejectForm } from './reject-form.tsx'

interface DecisionProps {
  /** The words of the button. */
  approve?: string
  right: Right
  busy: boolean
  /** It cannot be approved as it stands. */
  isWrong?: boolean
  /** Who reads why not. */
  hint: string
  onApprove: () => void
  onReject: (note: string) => void
  /** What else one can do. */
  children?: ReactNode
}

/** Yes, or no with a word on why. The inbox presses what has `data-act` when its key is pressed. */
export function Decision(props: DecisionProps) {
  const { approve = 'Approve', right, busy, isWrong = false, hint, onApprove, onReject, children } = props
  const [isRejecting, setRejecting] = useState<boolean>()
  if (isRejecting) {
    return <RejectForm hint={hint} busy={busy} onReject={onReject} onBack={() => setRejecting(false)} />
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Reason why={right.why}>
        <Button
          look="primary"
          icon={<Check aria-hidden />}
          data-act="approve"
          disabled={!right.may || isWrong}
          busy={busy}
          onClick={onApprove}
        >
          {approve}
        </Button>
      </Reason>
      <Button
        icon={<X aria-hidden />}
        data-act="reject"
        // whoever thought better of it is where they were
        autoFocus={isRejecting === false}
        disabled={!right.may || busy}
        onClick={() => setRejecting(true)}
      >
        Reject
      </Button>
      {children}
    </div>
  )
}
