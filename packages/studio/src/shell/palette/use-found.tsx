import type { FoundItem, FoundKind } from '@coherex/contract'
import { useNavigate } from '@tanstack/react-router'
import {
  Bot,
  Box,
  FileCode2,
  FolderGit2,
  GraduationCap,
  MessageSquare,
  MessageSquareText,
  SquareTerminal,
  User,
  Wrench,
  type LucideIcon,
} from 'lucide-react'
import { useSearch } from '../../data/search.ts'
import { useSettled } from '../../ui/state/use-settled.ts'
import type { Command } from './command.ts'

const kinds: Record<FoundKind, { group: string; icon: LucideIcon }> = {
  workspace: { group: 'Workspaces', icon: FolderGit2 },
  thread: { group: 'Conversations', icon: MessageSquare },
  agent: { group: 'Agents', icon: Bot },
  tool: { group: 'Tools', icon: Wrench },
  skill: { group: 'Skills', icon: GraduationCap },
  sandbox: { group: 'Sandboxes', icon: Box },
  person: { group: 'People', icon: User },
  file: { group: 'Files', icon: FileCode2 },
  message: { group: 'Messages', icon: MessageSquareText },
  run: { group: 'Runs', icon: SquareTerminal },
}

const typingMs = 80

/** Things of the team that have the typed words, as commands that open them. */
export function useFound(typed: string): { commands: Command[]; isSearching: boolean } {
  const navigate = useNavigate()
  const settled = useSettled(typed.trim(), typingMs)
  const { data, isFetching } = useSearch(settled)
  const items = settled.length < 2 ? [] : (data?.items ?? [])
  return {
    commands: items.map((item) => toCommand(item, (href) => void navigate({ href }))),
    isSearching: isFetching || settled !== typed.trim(),
  }
}

function toCommand({ kind, id, title, where, snippet, url }: FoundItem, open: (href: string) => void): Command {
  const { group, icon } = kinds[kind]
  return {
    id: `found ${kind} ${id}`,
    group,
    label: title,
    ...((snippet ?? where) ? { hint: [where, snippet].filter(Boolean).join(' · ') } : {}),
    icon,
    run: () => open(url),
  }
}
