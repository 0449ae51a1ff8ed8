import { useState } from 'react'
import { matchCommands } from './match-commands.ts'
import { useOfferedCommands } from './page-commands.ts'
import { PaletteDialog } from './palette-dialog.tsx'
import { useCommands } from './use-commands.tsx'
import { useFound } from './use-found.tsx'

interface CommandPaletteProps {
  onClose: () => void
  onCreateTeam: () => void
  onToggleRail: () => void
  onShowKeys: () => void
}

// the rest of what is found is things, which people look for more often
const commandsWhileTyping = 5

export function CommandPalette({ onClose, ...actions }: CommandPaletteProps) {
  const [text, setText] = useState('')
  const offered = useOfferedCommands()
  const commands = [...offered, ...useCommands(actions)]
  const things = useFound(text)
  const isTyped = text.trim() !== ''
  const matched = matchCommands(commands, text).filter(({ group }) => group !== 'Recent')
  const found = isTyped ? [...matched.slice(0, commandsWhileTyping), ...things.commands] : commands
  return (
    <PaletteDialog
      label="Search everything"
      placeholder="Search names, files, messages, or do something…"
      text={text}
      onText={setText}
      found={found}
      empty={things.isSearching ? undefined : `No results for “${text}”.`}
      onClose={onClose}
    />
  )
}
