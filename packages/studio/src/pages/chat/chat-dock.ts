import type { TriedSkill } from '@coherex/contract'
import { createContext, use } from 'react'
import type { SelectedLines } from '../../editor/code-editor.tsx'

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
  /** Lines of that file that are selected and go with it; undefined when there are none, or they were left out. */
  selected?: SelectedLines | undefined
  onLeaveOutLines?: (() => void) | undefined
}

export const ChatDockContext = createContext<ChatDock | undefined>(undefined)

export const useChatDock = () => use(ChatDockContext)
