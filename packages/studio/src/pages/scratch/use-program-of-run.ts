import type { RunProgram } from '@coherex/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { runProgramQuery } from '../../data/run/run-program.ts'
import { toast } from '../../ui/toast/toast.ts'

/** "Run again" leads here with the run's id: its program is loaded once and the address cleared. */
export function useProgramOfRun(load: (program: RunProgram, from: string) => void): void {
  const { run: id } = useSearch({ from: '/shell/team-places/scratch' })
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const tell = useEffectEvent(load)
  useEffect(() => {
    if (!id) return
    let gone = false
    queryClient
      .ensureQueryData(runProgramQuery(id))
      .then((program) => !gone && tell(program, 'The program of the run'))
      .catch((error: Error) => {
        if (!gone) toast({ title: 'Could not load the program', description: error.message, tone: 'error' })
      })
      .finally(() => !gone && void navigate({ to: '/scratch', search: {}, replace: true }))
    return () => {
      gone = true
    }
  }, [id, navigate, queryClient])
}
