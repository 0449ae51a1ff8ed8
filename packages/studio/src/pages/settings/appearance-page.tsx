import { Monitor, Moon, Sun } from 'lucide-react'
import { Page } from '../../shell/page.tsx'
import { setTheme, useTheme, type Theme } from '../../shell/theme.ts'
import { Card } from '../../ui/card.tsx'
import { Segmented } from '../../ui/field/segmented.tsx'

const themes: { value: Theme; label: string; icon: React.ReactNode }[] = [
  { value: 'light', label: 'Light', icon: <Sun aria-hidden /> },
  { value: 'dark', label: 'Dark', icon: <Moon aria-hidden /> },
  { value: 'system', label: 'System', icon: <Monitor aria-hidden /> },
]

export function AppearancePage() {
  const theme = useTheme()
  return (
    <Page title="Appearance" description="How Coherex looks in this browser.">
      <Card title="Theme" description="System follows the setting of your device, also when it changes during the day.">
        <Segmented label="Theme" value={theme} choices={themes} onChange={setTheme} />
      </Card>
    </Page>
  )
}
