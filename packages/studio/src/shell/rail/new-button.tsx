import { Plus } from 'lucide-react'
import { lazy, Suspense, useState, type ComponentProps } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { classNames } from '../../ui/class-names.ts'
import { Flyout } from './flyout.tsx'
import { railItemClass } from './rail-item-class.ts'

const loadMenu = () => import('./new-menu.tsx')
const NewMenu = lazy(async () => ({ default: (await loadMenu()).NewMenu }))

/** Begins something new. Its menu is fetched when it is first wanted. */
export function NewButton({ folded }: { folded: boolean }) {
  const right = useRight('editor', 'create things')
  const [wanted, setWanted] = useState(false)
  if (!right.may) return null
  const closed = (
    <Trigger
      folded={folded}
      aria-haspopup="menu"
      onPointerEnter={() => void loadMenu()}
      onClick={() => setWanted(true)}
    />
  )
  if (!wanted) return closed
  return (
    <Suspense fallback={closed}>
      <NewMenu trigger={<Trigger folded={folded} />} />
    </Suspense>
  )
}

function Trigger({ folded, ...rest }: { folded: boolean } & ComponentProps<'button'>) {
  return (
    <button {...rest} type="button" className={classNames(railItemClass, 'data-popup-open:bg-pressed')}>
      <Plus aria-hidden className="size-4 shrink-0" />
      {folded ? <Flyout label="New" /> : 'New'}
    </button>
  )
}
