import { Copy, Ellipsis, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { AlertDialog } from '../../ui/dialog/alert-dialog.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog/dialog.tsx'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Menu, MenuGroup, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { Tooltip } from '../../ui/tooltip.tsx'
import { Sample } from './sample.tsx'

/** They open in the theme of the page, wherever they were opened from. */
export function FloatingSamples() {
  const [open, setOpen] = useState<'dialog' | 'alert'>()
  const close = () => setOpen(undefined)
  const ignore = () => undefined
  return (
    <>
      <Sample name="Dialog, AlertDialog">
        <Button onClick={() => setOpen('dialog')}>Open dialog</Button>
        <Button look="danger-quiet" onClick={() => setOpen('alert')}>
          Delete team
        </Button>
      </Sample>
      <Sample name="Menu, Tooltip">
        <Menu align="start" trigger={<IconButton label="More" look="secondary" icon={<Ellipsis aria-hidden />} />}>
          <MenuGroup label="Key">
            <MenuItem icon={<Copy />} onSelect={ignore}>
              Copy id
            </MenuItem>
            <MenuItem icon={<Copy />} disabled hint="Only admins and owners can do this." onSelect={ignore}>
              Disabled
            </MenuItem>
          </MenuGroup>
          <MenuLine />
          <MenuItem icon={<Trash2 />} danger onSelect={ignore}>
            Delete
          </MenuItem>
        </Menu>
        <Tooltip text="Runs the code" shortcut="mod enter">
          <Button>Hover me</Button>
        </Tooltip>
      </Sample>
      <Sample name="toast()">
        <Button onClick={() => toast({ title: 'Ada is editor now', action: { label: 'Undo', run: ignore } })}>
          Success
        </Button>
        <Button
          onClick={() =>
            toast({ title: 'Could not export the audit log', description: 'Cannot reach Coherex', tone: 'error' })
          }
        >
          Error
        </Button>
      </Sample>
      <Dialog open={open === 'dialog'} onClose={close} title="A dialog" description="With a line on what it is for.">
        <DialogBody>
          <Field label="Name">
            <Input autoFocus />
          </Field>
        </DialogBody>
        <DialogActions>
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" onClick={close}>
            Create
          </Button>
        </DialogActions>
      </Dialog>
      <AlertDialog
        open={open === 'alert'}
        onClose={close}
        onConfirm={close}
        title="Delete Acme?"
        confirm="Delete team"
        typeName="Acme"
      >
        Everything it owns is gone for good.
      </AlertDialog>
    </>
  )
}
