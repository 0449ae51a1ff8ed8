import type { Fix } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import { useFix } from '../../../../cell/use-fix.tsx'
import { Fixes } from '../../../../output/fixes.tsx'
import { toast } from '../../../../ui/toast/toast.ts'

export interface CallFixesProps {
  runId: string
  fixes: Fix[]
}

/** The fixes of a call: the person runs its code again, in the same sandbox, and the agent finds what that left there. */
export function CallFixes({ runId, fixes }: CallFixesProps) {
  const navigate = useNavigate()
  const onMoved = (id: string) =>
    toast({
      title: 'It runs again',
      action: { label: 'Open the run', run: () => void navigate({ to: '/runs/$id', params: { id } }) },
    })
  return <Fixes fixes={fixes} {...useFix({ id: runId }, { onMoved })} />
}
