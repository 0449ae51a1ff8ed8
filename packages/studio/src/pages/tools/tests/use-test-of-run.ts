import type { ToolTest } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { runQuery } from '../../../data/run/run-get.ts'
import { runProgramQuery } from '../../../data/run/run-program.ts'
import { toast } from '../../../ui/toast/toast.ts'

/** Makes a test of the run that the address names, once, and takes it out of the address. */
export function useTestOfRun(name: string, onTest: (test: ToolTest) => void): void {
  const { run: id = '' } = useSearch({ from: '/shell/team-places/tools/$name' })
  const navigate = useNavigate()
  const run = useQuery({ ...runQuery(id), enabled: id !== '' })
  const program = useQuery({ ...runProgramQuery(id), enabled: id !== '' })
  const error = run.error ?? program.error
  const isRead = id !== '' && (error !== null || (run.data !== undefined && program.data !== undefined))
  const take = useEffectEvent(() => {
    void navigate({ to: '/tools/$name', params: { name }, search: { tab: 'tests' }, replace: true })
    if (error) toast({ title: 'Could not read the run', description: error.message, tone: 'error' })
    else if (run.data?.tool?.name !== name) toast({ title: `The run is not one of ${name}`, tone: 'error' })
    else {
      onTest({
        name: `from run ${id.slice(-6)}`,
        input: (program.data?.options.input ?? {}) as never,
        output: (run.data.result ?? null) as never,
      })
    }
  })
  useEffect(() => {
    if (isRead) take()
  }, [isRead])
}
