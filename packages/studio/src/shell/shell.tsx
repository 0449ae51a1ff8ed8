import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { listenToChanges } from '../data/live-events.ts'
import { meQuery } from '../data/me.ts'
import { readStored, writeStored } from '../ui/stored.ts'
import { toast } from '../ui/toast.ts'
import { BottomBar } from './bottom-bar.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { Rail } from './rail.tsx'
import { ShellContext } from './shell-context.ts'
import { useShortcuts } from './shortcuts.ts'

const CommandPalette = lazy(async () => ({ default: (await import('./command-palette.tsx')).CommandPalette }))
const CreateTeamDialog = lazy(async () => ({ default: (await import('./create-team-dialog.tsx')).CreateTeamDialog }))

/** The frame of every page behind the sign-in. */
export function Shell() {
  const { data: me } = useQuery(meQuery)
  const [collapsed, setCollapsed] = useState(() => readStored('rail') === 'narrow')
  const [overlay, setOverlay] = useState<'palette' | 'create-team'>()
  const connected = useLiveChanges(me?.team?.id)
  useTeamChangeNotice(me?.team ?? undefined)

  const toggleRail = () => {
    setCollapsed(!collapsed)
    writeStored('rail', collapsed ? undefined : 'narrow')
  }
  const openPalette = () => setOverlay('palette')
  const openCreateTeam = () => setOverlay('create-team')
  const close = () => setOverlay(undefined)
  useShortcuts({ openPalette, toggleRail })

  useSignInWhenGone(me === null)
  if (!me) return null
  return (
    <ShellContext value={{ openPalette, openCreateTeam }}>
      <a
        href="#content"
        className="sr-only rounded-md bg-accent px-3 py-2 text-on-accent focus:not-sr-only focus:fixed focus:top-2 focus:left-2 focus:z-60"
      >
        Skip to content
      </a>
      <div className="flex min-h-dvh">
        <Rail collapsed={collapsed} onToggle={toggleRail} />
        <div className="flex min-w-0 flex-1 flex-col max-md:pb-[calc(56px+env(safe-area-inset-bottom))]">
          <ConnectionBanner connected={connected} />
          <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col">
            <Outlet />
          </main>
        </div>
        <BottomBar />
      </div>
      <Suspense>
        {overlay === 'palette' && (
          <CommandPalette onClose={close} onCreateTeam={openCreateTeam} onToggleRail={toggleRail} />
        )}
        {overlay === 'create-team' && <CreateTeamDialog onClose={close} />}
      </Suspense>
    </ShellContext>
  )
}

/** A session can end while a page is open: elsewhere, or by its age. */
function useSignInWhenGone(gone: boolean): void {
  const router = useRouter()
  useEffect(() => {
    if (!gone) return
    const { pathname, href } = router.state.location
    toast({ title: 'You were signed out', tone: 'info' })
    void router.navigate({ to: '/sign-in', search: pathname === '/' ? {} : { next: href }, replace: true })
  }, [gone, router])
}

function useLiveChanges(teamId: string | undefined): boolean {
  const queryClient = useQueryClient()
  const [connected, setConnected] = useState(true)
  useEffect(() => {
    if (teamId === undefined) return undefined
    return listenToChanges({ queryClient, onConnection: setConnected })
  }, [queryClient, teamId])
  return connected
}

/** Being removed from a team moves one to another; saying so avoids the puzzle. */
function useTeamChangeNotice(team: { id: string; name: string } | undefined): void {
  const queryClient = useQueryClient()
  const before = useRef(team)
  useEffect(() => {
    const last = before.current
    before.current = team
    if (!last || last.id === team?.id) return
    void queryClient.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })
    const teams = queryClient.getQueryData(meQuery.queryKey)?.teams
    if (teams && !teams.some(({ id }) => id === last.id))
      toast({ title: `You are no longer in ${last.name}`, tone: 'info' })
  }, [queryClient, team])
}
