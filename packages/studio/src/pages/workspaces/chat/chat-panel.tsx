import { DockChat } from '../../chat/dock-chat.tsx'

/** A conversation about the workspace, in which the agent has its files and knows which one is open. */
export function ChatPanel({ workspaceId, openFile }: { workspaceId: string; openFile: string | undefined }) {
  return (
    <DockChat about={{ workspaceId }} openFile={openFile}>
      Ask an agent about this workspace. It reads and writes its files, and every change is a version you can take back.
    </DockChat>
  )
}
