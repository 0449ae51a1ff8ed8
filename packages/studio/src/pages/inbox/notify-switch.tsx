import { setNotifying, useIsNotifying } from '../../shell/notify-choice.ts'
import { Switch } from '../../ui/field/switch.tsx'
import { toast } from '../../ui/toast/toast.ts'

/** Notifications by choice: the browser asks when this is switched on, and not before. */
export function NotifySwitch() {
  const isOn = useIsNotifying()
  async function choose(wanted: boolean) {
    if (await setNotifying(wanted)) return
    toast({
      title: 'The browser blocks notifications',
      description: 'Allow them for this site in the browser’s settings, then switch them on here.',
      tone: 'error',
    })
  }
  return (
    <Switch checked={isOn} onChange={(wanted) => void choose(wanted)}>
      <span className="text-dense">Notify me</span>
    </Switch>
  )
}
