import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { SquarePen } from 'lucide-react'
import { useEffect } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { useVersionsUndo } from '../../data/version.ts'
import { usePageTitle } from '../../shell/page-title.ts'
import { Empty } from '../../ui/empty.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { openScratch } from './open-scratch.ts'

/** Leads to one's own workspace. "Edit in Scratch" leads here with the id of a run, whose program is written there once. */
export function ScratchPage() {
  const { run } = useSearch({ from: '/shell/team-places/scratch' })
  const mayRun = useRight('editor', 'run code')
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const undo = useVersionsUndo()
  const opened = useQuery({
    queryKey: ['scratch', run],
    queryFn: () => openScratch(queryClient, run),
    enabled: mayRun.may,
    ...{ staleTime: Infinity, gcTime: 0, retry: false },
  })
  usePageTitle('Scratch')
  const { data } = opened
  useEffect(() => {
    if (!data) return
    const { id, file, replaced } = data
    void navigate({ to: '/workspaces/$id', params: { id }, search: file ? { file } : {}, replace: true })
    if (!replaced) return
    const body = { versions: [replaced.version] }
    toast({
      title: `The program of the run replaced ${replaced.path}`,
      tone: 'info',
      action: { label: 'Undo', run: () => undo.mutate({ params: { id }, body }) },
    })
    // oxlint-disable-next-line react/exhaustive-deps -- once for what was opened
  }, [data, navigate])

  if (mayRun.why) {
    return (
      <Empty icon={SquarePen} title="Scratch is a place to write and run code">
        {mayRun.why}
      </Empty>
    )
  }
  if (opened.error)
    return <ErrorState doing="open Scratch" error={opened.error} onRetry={() => void opened.refetch()} />
  return (
    <WaitingLines
      label="Opening Scratch"
      className="gap-3 p-4"
      lines={['h-5 w-48', 'mt-4 h-3 w-40', 'h-3 w-52', 'h-3 w-36']}
    />
  )
}
