import { useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { Menu, MenuItem } from '../../ui/menu.tsx'
import { newThings } from '../new-things.ts'

export function NewMenu({ trigger }: { trigger: ReactElement }) {
  const navigate = useNavigate()
  return (
    <Menu trigger={trigger} side="right" align="start" defaultOpen>
      {newThings.map(({ label, icon: Icon, link }) => (
        <MenuItem key={label} icon={<Icon aria-hidden />} onSelect={() => void navigate(link)}>
          {label}
        </MenuItem>
      ))}
    </Menu>
  )
}
