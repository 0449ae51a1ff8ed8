import { SlidersHorizontal } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Button } from '../../ui/button.tsx'
import { Popover } from '../../ui/popover.tsx'
import { OptionsForm, type OptionsFormProps } from './options-form.tsx'
import { countOptions, noOptions } from './typed-options.ts'
import type { OptionCheck } from './use-option-check.ts'

interface RunOptionsProps extends OptionsFormProps {
  /** Opens the options at the field that is wrong when a run is asked for. */
  check: OptionCheck
  /** Instead of setting all to what they are without asking. */
  onReset?: (() => void) | undefined
  size?: 'small' | 'medium'
}

/** The options of a run behind one button that counts them. They float over the page, so the code stays where it is. */
export function RunOptions({ check, onReset, size = 'medium', ...form }: RunOptionsProps) {
  const { options, onChange, only } = form
  const popup = useRef<HTMLDivElement>(null)
  const count = countOptions(options, only)

  useEffect(() => {
    if (check.refusals === 0) return undefined
    // the popup takes the focus for itself when it opens
    const timer = setTimeout(() => {
      const field = popup.current?.querySelector<HTMLElement>('[aria-invalid="true"]')
      field?.focus()
      // what is wrong with it stands below, and is the first that describes it
      const [error = ''] = field?.getAttribute('aria-describedby')?.split(' ') ?? []
      document.getElementById(error)?.scrollIntoView({ block: 'nearest' })
    }, 50)
    return () => clearTimeout(timer)
  }, [check.refusals])

  return (
    <Popover
      ref={popup}
      label="Options"
      open={check.isOpen}
      onOpenChange={check.setOpen}
      trigger={
        <Button look="quiet" size={size} icon={<SlidersHorizontal aria-hidden />}>
          Options{count > 0 ? ` · ${count}` : ''}
        </Button>
      }
    >
      <div className="w-160 max-w-full min-h-0 flex-1 scroll-py-3 overflow-y-auto px-4 py-4">
        <OptionsForm {...form} />
      </div>
      <footer className="flex shrink-0 justify-end gap-2 border-t border-line px-3 py-2">
        <Button size="small" look="quiet" onClick={onReset ?? (() => onChange(noOptions))}>
          Reset options
        </Button>
      </footer>
    </Popover>
  )
}
