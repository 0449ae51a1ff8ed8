import { Monitor, Moon, Play, Plus, RefreshCw, Sun } from 'lucide-react'
import { useState } from 'react'
import { Button, type ButtonLook } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field/checkbox.tsx'
import { Field } from '../../ui/field/field.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { Input } from '../../ui/field/input.tsx'
import { PasswordInput } from '../../ui/field/password-input.tsx'
import { Segmented } from '../../ui/field/segmented.tsx'
import { Select } from '../../ui/field/select.tsx'
import { Switch } from '../../ui/field/switch.tsx'
import { TextArea } from '../../ui/field/text-area.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { Chip } from '../../ui/list/chip.tsx'
import { Reason } from '../../ui/reason.tsx'
import { Sample } from './sample.tsx'

const looks: ButtonLook[] = ['primary', 'secondary', 'quiet', 'danger', 'danger-quiet']
const themes = [
  { value: 'light', label: 'Light', icon: <Sun aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden /> },
  { value: 'system', label: 'System', icon: <Monitor aria-hidden /> },
] as const
const roles = [
  { value: 'admin', label: 'Admin', hint: 'Manages members and secrets' },
  { value: 'editor', label: 'Editor', hint: 'Runs and changes the team’s work' },
  { value: 'viewer', label: 'Viewer', hint: 'Sees the team’s work' },
] as const

export function ControlSamples() {
  const [on, setOn] = useState(true)
  const [theme, setTheme] = useState<'light' | 'dark' | 'system'>('system')
  const [role, setRole] = useState<'admin' | 'editor' | 'viewer'>('editor')
  return (
    <>
      <Sample name="Button">
        {looks.map((look) => (
          <Button key={look} look={look}>
            {look}
          </Button>
        ))}
      </Sample>
      <Sample name="Button: icon, small, busy, disabled, with a reason, as a link">
        <Button look="primary" icon={<Play aria-hidden />}>
          Run
        </Button>
        <Button size="small" icon={<Plus aria-hidden />}>
          Small
        </Button>
        <Button look="primary" busy>
          Saving
        </Button>
        <Button disabled>Disabled</Button>
        <Reason why="Only admins and owners can invite people.">
          <Button look="primary" disabled>
            Invite
          </Button>
        </Reason>
        <LinkButton to="/design">Link</LinkButton>
      </Sample>
      <Sample name="IconButton">
        <IconButton label="Refresh" shortcut="mod r" icon={<RefreshCw aria-hidden />} />
        <IconButton label="Add" look="secondary" icon={<Plus aria-hidden />} />
        <IconButton label="Cannot add" disabled icon={<Plus aria-hidden />} />
      </Sample>
      <div className="grid max-w-160 items-start gap-4 md:grid-cols-2">
        <Field label="Field with hint" hint="One line on what belongs here.">
          <Input placeholder="Placeholder" />
        </Field>
        <Field label="Field with error" error="Use at least 10 characters.">
          <Input defaultValue="short" />
        </Field>
        <Field label="Disabled" hint="Only admins and owners can rename the team.">
          <Input disabled defaultValue="Acme research" />
        </Field>
        <Field label="Password">
          <PasswordInput defaultValue="correct horse" autoComplete="off" />
        </Field>
        <Field label="Select">
          <Select value={role} choices={roles} onChange={setRole} />
        </Field>
        <Field label="Select, disabled">
          <Select value={role} choices={roles} onChange={setRole} disabled />
        </Field>
        <Field label="Text area" className="md:col-span-2">
          <TextArea rows={2} defaultValue="Several lines of text" />
        </Field>
      </div>
      <Sample name="FormError">
        <FormError error={new Error('Cannot invite “ada@example.org”: they are a member already')} />
      </Sample>
      <Sample name="Switch, Checkbox">
        <Switch checked={on} onChange={setOn}>
          Switch
        </Switch>
        <Switch checked={!on} onChange={(next) => setOn(!next)}>
          The other
        </Switch>
        <Switch checked disabled onChange={setOn}>
          Disabled
        </Switch>
        <Checkbox checked={on} onChange={setOn}>
          Checkbox
        </Checkbox>
        <Checkbox checked={!on} onChange={(next) => setOn(!next)} hint="With a line of hint">
          The other
        </Checkbox>
        <Checkbox checked disabled onChange={setOn}>
          Disabled
        </Checkbox>
      </Sample>
      <Sample name="Segmented, Chip">
        <Segmented label="Theme" value={theme} choices={themes} onChange={setTheme} />
        {on && <Chip name="Action" value="Members" onRemove={() => setOn(false)} />}
      </Sample>
    </>
  )
}
