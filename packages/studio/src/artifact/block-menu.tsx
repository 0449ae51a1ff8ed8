import { Copy, Ellipsis, Eraser, History, ListOrdered, Pencil, RotateCcw, Share2, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu, MenuItem, MenuLine } from '../ui/menu.tsx'
import { copyText } from '../ui/text/copy-text.ts'

interface BlockMenuProps {
  code: string
  isEditing: boolean
  /** Why it cannot be edited. */
  why: string | undefined
  onEdit: () => void
  isNumbered?: boolean
  onNumbers?: (() => void) | undefined
  onClear?: (() => void) | undefined
  onReset?: (() => void) | undefined
  onExport?: (() => void) | undefined
  /** Other ways out of the conversation. */
  more?: ReactNode
  /** There is something to look back at. */
  onHistory: (() => void) | undefined
  onShare: () => void
}

export function BlockMenu(props: BlockMenuProps) {
  const {
    code,
    isEditing,
    why,
    onEdit,
    isNumbered = false,
    onNumbers,
    onClear,
    onReset,
    onExport,
    more,
    onHistory,
    onShare,
  } = props
  return (
    <Menu
      trigger={<IconButton label="More for this block" size="small" className="w-7!" icon={<Ellipsis aria-hidden />} />}
    >
      <MenuItem icon={<Pencil aria-hidden />} disabled={why !== undefined} hint={why} onSelect={onEdit}>
        {isEditing ? 'Close the editor' : 'Edit'}
      </MenuItem>
      <MenuItem icon={<Copy aria-hidden />} onSelect={() => void copyText(code)}>
        Copy code
      </MenuItem>
      {onNumbers && (
        <MenuItem icon={<ListOrdered aria-hidden />} checked={isNumbered} onSelect={onNumbers}>
          Line numbers
        </MenuItem>
      )}
      {onExport && (
        <MenuItem icon={<Wrench aria-hidden />} disabled={why !== undefined} hint={why} onSelect={onExport}>
          Export as tool…
        </MenuItem>
      )}
      {more}
      <MenuLine />
      <MenuItem icon={<History aria-hidden />} disabled={!onHistory} onSelect={() => onHistory?.()}>
        History
      </MenuItem>
      <MenuItem icon={<Share2 aria-hidden />} disabled={why !== undefined} hint={why} onSelect={onShare}>
        Share
      </MenuItem>
      {onClear && (
        <MenuItem icon={<Eraser aria-hidden />} onSelect={onClear}>
          Clear output
        </MenuItem>
      )}
      {onReset && (
        <MenuItem icon={<RotateCcw aria-hidden />} hint="Blocks of this language begin anew." onSelect={onReset}>
          Forget variables
        </MenuItem>
      )}
    </Menu>
  )
}
