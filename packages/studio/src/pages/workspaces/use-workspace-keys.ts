import { useEffect, useEffectEvent } from 'react'
import { toast } from '../../ui/toast/toast.ts'

interface WorkspaceKeys {
  onRun: () => unknown
  onGoToFile: () => unknown
  onSearch: () => unknown
}

/** Ctrl or Cmd with P goes to a file, with Shift and F searches all files, with Enter runs; within the editor Enter is the editor's own. With S there is nothing to do, and that is said. */
export function useWorkspaceKeys({ onRun, onGoToFile, onSearch }: WorkspaceKeys): void {
  const run = useEffectEvent(onRun)
  const goToFile = useEffectEvent(onGoToFile)
  const search = useEffectEvent(onSearch)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.defaultPrevented || event.altKey) return
      if (event.shiftKey) {
        if (event.key.toLowerCase() !== 'f') return
        event.preventDefault()
        search()
        return
      }
      if (!['s', 'p', 'Enter'].includes(event.key)) return
      event.preventDefault()
      if (event.key === 'Enter') run()
      else if (event.key === 'p') goToFile()
      else toast({ title: 'Saved as you type', description: 'The history has each version.', tone: 'info' })
    }
    // on its way in: a checkbox of the options keeps Enter to itself
    const pressInOptions = (event: KeyboardEvent) => {
      if (event.key === 'Enter' && (event.target as Element | null)?.closest?.('[data-popover]')) press(event)
    }
    document.addEventListener('keydown', pressInOptions, { capture: true })
    document.addEventListener('keydown', press)
    return () => {
      document.removeEventListener('keydown', pressInOptions, { capture: true })
      document.removeEventListener('keydown', press)
    }
  }, [])
}
