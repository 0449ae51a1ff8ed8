import type { TriedSkill } from '@coherex/contract'
import { createContext, use } from 'react'

/** The files of this workspace that the agent works with, the agent or unsaved definition that is tried, or the version of a skill. */
export type ChatSubject =
  | { workspaceId: string }
  | { agent: string; definition?: string | undefined }
  | { skill: TriedSkill }

/** Tells the conversations of one thing from those of others. */
export function subjectKey(about: ChatSubject): string {
  if ('agent' in about) return about.definition === undefined ? about.agent : `${about.agent}.unsaved`
  return 'skill' in about ? `skill.${about.skill.name}` : about.workspaceId
}

/** A conversation beside the work it is about, instead of on its own page. */
interface ChatDock {
  about: ChatSubject
  /** The first message was said. */
  onBegun: (threadId: string) => void
  /** The file that is open beside it and goes with the next message; undefined when there is none, or it was left out. */
  openFile: string | undefined
  onLeaveOut: () => void
}

export const ChatDockContext = createContext<ChatDock | undefined>(undefined)

export const useChatDock = () => use(ChatDockContext)

/** A message that says which file its author looks at, in words that every reader understands. */
export function withOpenFile(text: string, openFile: string | undefined): string {
  return openFile === undefined ? text : `${text}\n\n(Open file: \`${openFile}\`)`
}
