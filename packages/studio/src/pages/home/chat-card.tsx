import { Cpu } from 'lucide-react'
import { useRight } from '../../data/access/rights.ts'
import { useModelList } from '../../data/library/model.ts'
import { Card } from '../../ui/card.tsx'
import { LinkButton } from '../../ui/link-button.tsx'
import { FirstMessage } from './first-message.tsx'

/** With a model one chats at once; without one it says how to get one. */
export function ChatCard() {
  const models = useModelList()
  const mayAdd = useRight('admin', 'add models').may
  // what cannot be known does not stand in the way: sending will say what is wrong
  if (models.data?.defaultModel !== null) return <FirstMessage />
  return (
    <Card
      title="Chat needs a model"
      description={
        mayAdd
          ? 'Add an API key for Anthropic, OpenAI, Google or your own server, or start Ollama on this machine. Everything else works without a model.'
          : 'Ask an admin of the team to add one. Everything else works without a model.'
      }
      actions={
        mayAdd && (
          <LinkButton to="/settings/models">
            <Cpu aria-hidden /> Add a model
          </LinkButton>
        )
      }
    />
  )
}
