import { ChevronsUpDown } from 'lucide-react'
import { lazy, Suspense, useState, type ComponentProps } from 'react'
import { useMe } from '../../data/access/me.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { classNames } from '../../ui/class-names.ts'

const loadMenu = () => import('./team-menu.tsx')
const TeamMenu = lazy(async () => ({ default: (await loadMenu()).TeamMenu }))

interface TeamSwitcherProps {
  collapsed?: boolean
  /** An entry of its menu leads to another page. */
  onNavigate?: () => void
}

/** The team one works in. Its menu is fetched when it is first wanted. */
export function TeamSwitcher({ collapsed = false, onNavigate }: TeamSwitcherProps) {
  const [wanted, setWanted] = useState(false)
  const closed = (
    <SwitcherButton
      collapsed={collapsed}
      aria-haspopup="menu"
      onPointerEnter={() => void loadMenu()}
      onClick={() => setWanted(true)}
    />
  )
  if (!wanted) return closed
  return (
    <Suspense fallback={closed}>
      <TeamMenu
        trigger={<SwitcherButton collapsed={collapsed} />}
        side={collapsed ? 'right' : 'top'}
        onNavigate={onNavigate}
      />
    </Suspense>
  )
}

function SwitcherButton({ collapsed, ...rest }: { collapsed: boolean } & ComponentProps<'button'>) {
  const { person, team, role } = useMe()
  const name = team?.name ?? 'No team'
  return (
    <button
      {...rest}
      type="button"
      className={classNames(
        'flex w-full items-center gap-2.5 rounded-md p-1.5 text-left transition-colors hover:bg-hover data-popup-open:bg-pressed',
        collapsed && 'justify-center',
      )}
    >
      <Avatar name={name} shape="square" />
      {collapsed ? (
        <span className="sr-only">Team {name}</span>
      ) : (
        <>
          <span className="sr-only">Team</span>
          <span className="min-w-0 flex-1">
            <span className="block truncate text-dense font-medium">{name}</span>
            <span className="block truncate text-small text-muted">
              {person.name}
              {role && ` · ${role}`}
            </span>
          </span>
          <ChevronsUpDown aria-hidden className="size-3.5 shrink-0 text-muted" />
        </>
      )}
    </button>
  )
}
