import { useNavigate } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import { Button } from '../../ui/button.tsx'

/** Leads to a conversation with the builder, which ends in a definition. It begins with the first message. */
export function BuildButton({ disabled }: { disabled: boolean }) {
  const navigate = useNavigate()
  return (
    <Button
      icon={<Sparkles aria-hidden />}
      disabled={disabled}
      onClick={() => void navigate({ to: '/threads', search: { agent: 'builder' } })}
    >
      Build in a chat
    </Button>
  )
}
