import { Link } from '@tanstack/react-router'
import { Search, type LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { newThings } from '../new-things.ts'
import { places, type PlacePage } from '../places.ts'
import { useShell } from '../shell-context.ts'
import { TeamSwitcher } from './team-switcher.tsx'

const itemClass = 'flex h-11 w-full items-center gap-2.5 rounded-md px-2 text-body hover:bg-hover'
const { workspaces, library, data, activity } = places
const groups: { label: string; pages: readonly PlacePage[] }[] = [
  { label: workspaces.label, pages: [workspaces.pages[1]] },
  library,
  data,
  activity,
]

/** What the bottom bar of a narrow screen has no room for. */
export function MoreSheet({ onClose }: { onClose: () => void }) {
  const { openPalette } = useShell()
  const mayCreate = useRight('editor', 'create things').may
  const search = () => {
    onClose()
    openPalette()
  }
  return (
    <Dialog open onClose={onClose} title="More">
      <nav aria-label="More places" className="flex flex-col gap-3 overflow-y-auto px-3 pb-2">
        <button type="button" onClick={search} className={itemClass}>
          <Content icon={Search}>Search</Content>
        </button>
        {groups.map(({ label, pages }) => (
          <Group key={label} label={label}>
            {pages.map(({ to, label: name, icon }) => (
              <li key={to}>
                <Link to={to} onClick={onClose} className={itemClass}>
                  <Content icon={icon}>{name}</Content>
                </Link>
              </li>
            ))}
          </Group>
        ))}
        {mayCreate && (
          <Group label="New">
            {newThings.map(({ label, icon, link }) => (
              <li key={label}>
                <Link {...link} onClick={onClose} className={itemClass}>
                  <Content icon={icon}>{label}</Content>
                </Link>
              </li>
            ))}
          </Group>
        )}
      </nav>
      <div className="border-t border-line p-2">
        <TeamSwitcher onNavigate={onClose} />
      </div>
    </Dialog>
  )
}

function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section aria-label={label}>
      <h3 className="px-2 pb-0.5 text-small text-muted">{label}</h3>
      <ul className="grid grid-cols-2">{children}</ul>
    </section>
  )
}

function Content({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <>
      <Icon aria-hidden className="size-5 text-muted" /> {children}
    </>
  )
}
