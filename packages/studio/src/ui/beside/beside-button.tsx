import { PanelRightOpen } from 'lucide-react'
import { IconButton } from '../icon-button.tsx'
import { useBeside, type BesideItem } from './beside.ts'

/** Opens a part of the page beside it; nothing where there is no such place. */
export function BesideButton({ item, name }: { item: BesideItem; name?: string }) {
  const beside = useBeside()
  if (!beside) return null
  return (
    <IconButton
      label={name === undefined ? 'Open beside' : `Open ${name} beside`}
      size="small"
      className="w-7!"
      icon={<PanelRightOpen aria-hidden />}
      onClick={() => beside.open(item)}
    />
  )
}
