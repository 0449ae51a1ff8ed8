import { useState } from 'react'
import { readNeeded } from '../../change/read-needed.ts'
import { useSandboxRerun } from '../../data/sandbox.ts'
import { toast } from '../../ui/toast/toast.ts'

export interface RerunBody {
  cells: 'succeeded' | 'all'
  restart?: boolean
}

/** Runs many cells one after the other, and tells how that ended. `asked` are those that need an approval first. */
export function useRunAgain(id: string) {
  const rerun = useSandboxRerun()
  const [asked, setAsked] = useState<RerunBody>()
  return {
    isPending: rerun.isPending,
    asked,
    close: () => setAsked(undefined),
    run: (body: RerunBody) =>
      rerun.mutate(
        { params: { id }, body },
        {
          onSuccess: ({ runs, left }) => {
            const hasFailed = runs.some(({ status }) => status !== 'succeeded')
            toast(
              hasFailed
                ? {
                    title: 'A cell failed',
                    description: left > 0 ? `${left} after it were not run.` : '',
                    tone: 'error',
                  }
                : { title: `${runs.length} ${runs.length === 1 ? 'cell' : 'cells'} ran` },
            )
          },
          onError(error) {
            if (readNeeded(error)) setAsked(body)
            else toast({ title: 'Could not run the cells', description: error.message, tone: 'error' })
          },
        },
      ),
  }
}
