import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Outlet, useRouter } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useRef, useState } from 'react'
import { meQuery } from '../data/access/me.ts'
import { listenToChanges } from '../data/query/live-events.ts'
import { toast } from '../ui/toast/toast.ts'
import { ConnectionBanner } from './connection-banner.tsx'
import { useIsNotifying } from './notify-choice.ts'
import { BottomBar } from './rail/bottom-bar.tsx'
import { Rail } from './rail/rail.tsx'
import { useVisits } from './recent/use-visits.ts'
import { ShellContext } from './shell-context.ts'
import { useShortcuts } from './shortcuts.ts'
import { useRail } from './use-rail.ts'

const KeysDialog = lazy(async () => ({ default: (await import('./palette/keys-dialog.tsx')).KeysDialog }))
const CommandPalette = lazy(async () => ({ default: (await import('./palette/command-palette.tsx')).CommandPalette }))
// only for those who want to be told while they look elsewhere
const InboxWatch = lazy(async () => ({ default: (await import('./inbox-watch.tsx')).InboxWatch }))
const CreateTeamDialog = lazy(async () => ({ default: (await import('./create-team-dialog.tsx')).CreateTeamDialog }))

/** The frame of every page behind the sign-in. */
export function Shell() {
  const { data: me } = useQuery(meQuery)
  const rail = useRail()
  const [overlay, setOverlay] = useState<'palette' | 'create-team' | 'keys'>()
  const isNotifying = useIsNotifying()
  const connected = useLiveChanges(me?.team?.id)
  useTeamChangeNotice(me?.team ?? undefined)

  const openPalette = () => setOverlay('palette')
  const openCreateTeam = () => setOverlay('create-team')
  const showKeys = () => setOverlay('keys')
  const close = () => setOverlay(undefined)
  useShortcuts({ openPalette, showKeys, toggleRail: rail.toggle })

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
        <Rail folded={rail.isNarrow} onToggle={rail.toggle} />
        <div className="flex min-w-0 flex-1 flex-col max-md:pb-[calc(56px+env(safe-area-inset-bottom))]">
          <ConnectionBanner connected={connected} />
          <main id="content" tabIndex={-1} className="flex min-w-0 flex-1 flex-col">
            <Outlet />
          </main>
        </div>
        <BottomBar />
        <Visits />
      </div>
      <Suspense>
        {isNotifying && me.team && <InboxWatch key={me.team.id} />}
        {overlay === 'palette' && (
          <CommandPalette
            onClose={close}
            onCreateTeam={openCreateTeam}
            onToggleRail={rail.toggle}
            onShowKeys={showKeys}
          />
        )}
        {overlay === 'keys' && <KeysDialog onClose={close} />}
        {overlay === 'create-team' && <CreateTeamDialog onClose={close} />}
      </Suspense>
    </ShellContext>
  )
}

/** Apart from the frame, which needs nothing of what pages fetch. */
function Visits() {
  useVisits()
  return null
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
