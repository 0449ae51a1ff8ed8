import { DockChat } from '../../chat/dock-chat.tsx'
import { useCursor, type CursorPlace } from '../cursor-place.ts'

interface ChatPanelProps {
  workspaceId: string
  openFile: string | undefined
  cursor: CursorPlace
}

/** A conversation about the workspace, in which the agent has its files and knows which one is open and what is selected. */
export function ChatPanel({ workspaceId, openFile, cursor }: ChatPanelProps) {
  return (
    <DockChat about={{ workspaceId }} openFile={openFile} selected={useCursor(cursor, openFile)?.selected}>
      Ask an agent about this workspace. It reads and writes its files, and every change is a version you can take back.
    </DockChat>
  )
}
