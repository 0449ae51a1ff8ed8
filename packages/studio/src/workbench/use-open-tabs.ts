import { useEffect, useEffectEvent, useState } from 'react'
import { readOwn, writeOwn } from '../ui/state/stored.ts'

const mostTabs = 30

interface OpenTabsOptions {
  /** What the tabs belong to: they are remembered under it. */
  name: string
  /** The one in sight, which the address names. */
  active: string | undefined
  onPick: (value: string | undefined) => void
}

/** What is open in the centre of a workbench. Whatever becomes active has a tab from then on. */
export function useOpenTabs({ name, active, onPick }: OpenTabsOptions) {
  const key = `tabs.${name}`
  const [stored] = useState(() => parseTabs(readOwn(key)))
  const [values, setValues] = useState(() => withTab(stored.open, stored.last, active))
  const [last, setLast] = useState(active)
  // only a new one: the address still names a tab for a moment after it was closed or moved
  if (active !== last) {
    setLast(active)
    setValues(withTab(values, last, active))
  }
  useEffect(() => {
    const next: StoredTabs = { open: values, last: active }
    writeOwn(key, values.length > 0 ? JSON.stringify(next) : undefined)
  }, [key, values, active])

  function close(value: string) {
    const at = values.indexOf(value)
    const rest = values.filter((one) => one !== value)
    setValues(rest)
    if (value === active) onPick(rest[at] ?? rest[at - 1])
  }
  function step(by: number) {
    const at = values.indexOf(active ?? '')
    const next = values.at((at + by + values.length) % values.length)
    if (at >= 0 && next !== undefined) onPick(next)
  }
  useTabKeys({ onClose: () => active !== undefined && close(active), onStep: step })

  return {
    values,
    close,
    /** The one that was in sight when the page was left. */
    last: stored.last,
    /** What is below a path that was moved goes along. */
    move(from: string, to: string) {
      setValues((before) => before.map((one) => (isBelow(one, from) ? to + one.slice(from.length) : one)))
    },
    /** What is below a path that was deleted goes. */
    remove(path: string) {
      const rest = values.filter((one) => !isBelow(one, path))
      setValues(rest)
      if (active !== undefined && isBelow(active, path)) onPick(rest.at(-1))
    },
  }
}

const isBelow = (path: string, above: string) => path === above || path.startsWith(`${above}/`)

export function withTab(values: string[], last: string | undefined, value: string | undefined): string[] {
  if (value === undefined || values.includes(value)) return values
  const at = last === undefined ? -1 : values.indexOf(last)
  const next = at < 0 ? [...values, value] : values.toSpliced(at + 1, 0, value)
  // the oldest goes: a strip of hundreds helps nobody
  return next.length > mostTabs ? next.toSpliced(next[0] === value ? 1 : 0, 1) : next
}

interface StoredTabs {
  open: string[]
  last: string | undefined
}

function parseTabs(stored: string | undefined): StoredTabs {
  try {
    const { open, last } = JSON.parse(stored ?? '{}') as Partial<Record<keyof StoredTabs, unknown>>
    const values = Array.isArray(open) ? open.filter((one) => typeof one === 'string') : []
    return { open: values.slice(0, mostTabs), last: typeof last === 'string' ? last : undefined }
  } catch {
    // what another version stored only costs the memory of a choice
    return { open: [], last: undefined }
  }
}

/** Alt with W shuts the tab, as browsers keep Ctrl with W; Alt with Page Up and Page Down goes to the next one. */
function useTabKeys({ onClose, onStep }: { onClose: () => unknown; onStep: (by: number) => void }): void {
  const close = useEffectEvent(onClose)
  const step = useEffectEvent(onStep)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      if (event.target instanceof Element && event.target.closest('[role=dialog]')) return
      if (event.code === 'KeyW') close()
      else if (event.code === 'PageDown') step(1)
      else if (event.code === 'PageUp') step(-1)
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', press, { capture: true })
    return () => document.removeEventListener('keydown', press, { capture: true })
  }, [])
}
