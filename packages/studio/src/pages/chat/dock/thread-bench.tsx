import type { Message, Thread, Turn } from '@coherex/contract'
import { FileDiff, Files, FileText, Info, ScrollText } from 'lucide-react'
import { lazy, Suspense, useMemo, useState, type ReactNode } from 'react'
import { BesideContext, type BesideItem } from '../../../ui/beside/beside.ts'
import { useIsRoomy } from '../../../ui/state/is-roomy.ts'
import type { DockPanel, DockProps } from '../../../workbench/dock.tsx'
import { useWorkbench } from '../../../workbench/use-workbench.ts'
import { Workbench } from '../../../workbench/workbench.tsx'
import { DraftBesideContext } from '../message/shown-beside.ts'
import { latestDraft } from '../message/tool/tool-results.ts'
import { ThreadHeader } from '../thread-header.tsx'

// the conversation is here before its dock and panels are
const Dock = lazy(async () => ({ default: (await import('../../../workbench/dock.tsx')).Dock }))
const DraftPanel = lazy(async () => ({ default: (await import('./draft-panel.tsx')).DraftPanel }))
const FilesPanel = lazy(async () => ({ default: (await import('./files-panel.tsx')).FilesPanel }))
const ChangesPanel = lazy(async () => ({ default: (await import('./changes-panel.tsx')).ChangesPanel }))
const DetailsPanel = lazy(async () => ({ default: (await import('./details-panel.tsx')).DetailsPanel }))

interface ThreadBenchProps {
  thread: Thread
  messages: readonly Message[]
  turns: readonly Turn[] | undefined
  isBusy: boolean
  /** The messages and where to write the next one. */
  children: ReactNode
}

/** The page of a conversation: its messages, and a dock with what is opened beside them, files, changes and details. */
export function ThreadBench({ thread, messages, turns, isBusy, children }: ThreadBenchProps) {
  const isBuilt = thread.agent === 'builder'
  const bench = useWorkbench(isBuilt ? 'builder' : 'conversation', {
    panels: { right: isBuilt ? 'definition' : 'files' },
    open: isBuilt ? ['right'] : [],
  })
  const roomy = useIsRoomy()
  const [item, setItem] = useState<BesideItem>()
  const { show, goTo } = bench
  const { isOpen, panel } = bench.docks.right
  // what was opened goes back to its message when the dock is shut
  if (item && roomy && !isOpen) setItem(undefined)
  const beside = useMemo(
    () => ({
      openKey: item?.key,
      open(next: BesideItem) {
        setItem(next)
        show('right', 'opened')
      },
      close() {
        setItem(undefined)
        goTo('centre')
      },
    }),
    [item?.key, show, goTo],
  )
  const draft = isBuilt ? latestDraft(messages) : undefined
  const right: DockPanel[] = [
    ...(item ? [openedPanel(item)] : []),
    ...(isBuilt
      ? [{ value: 'definition', label: 'Definition', icon: ScrollText, content: <DraftPanel draft={draft} /> }]
      : []),
    { value: 'files', label: 'Files', icon: Files, content: <FilesPanel thread={thread} /> },
    {
      value: 'changes',
      label: 'Changes',
      icon: FileDiff,
      content: <ChangesPanel messages={isBusy ? messages.slice(0, -1) : messages} turns={turns ?? []} />,
    },
    { value: 'details', label: 'Details', icon: Info, content: <DetailsPanel thread={thread} turns={turns ?? []} /> },
  ]
  const isDraftBeside = draft !== undefined && roomy && isOpen && panel === 'definition'
  return (
    <BesideContext value={beside}>
      <DraftBesideContext value={isDraftBeside}>
        <Workbench
          bench={bench}
          Dock={ThreadDock}
          header={<ThreadHeader thread={thread} />}
          right={right}
          centreLabel="Messages"
        >
          {children}
        </Workbench>
      </DraftBesideContext>
    </BesideContext>
  )
}

/** The dock, from the first time that it is in sight. */
function ThreadDock(props: DockProps) {
  const [wasOpened, setOpened] = useState(false)
  if (props.isOpen && !wasOpened) setOpened(true)
  return <Suspense>{wasOpened && <Dock {...props} />}</Suspense>
}

function openedPanel({ key, title, content }: BesideItem): DockPanel {
  return {
    value: 'opened',
    label: title,
    icon: FileText,
    // nothing can be opened beside it
    content: (
      <BesideContext key={key} value={undefined}>
        {content}
      </BesideContext>
    ),
  }
}
