import { useNavigate } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import { useThreadCreate } from '../../data/thread/thread-create.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'

/** Begins a conversation with the builder, which ends in a definition. */
export function BuildButton({ disabled }: { disabled: boolean }) {
  const create = useThreadCreate()
  const navigate = useNavigate()
  return (
    <Button
      icon={<Sparkles aria-hidden />}
      disabled={disabled}
      busy={create.isPending}
      onClick={() =>
        create.mutate(
          { body: { agent: 'builder' } },
          {
            onSuccess: ({ id }) => void navigate({ to: '/threads/$id', params: { id } }),
            onError: (error) => toast({ title: error.message, tone: 'error' }),
          },
        )
      }
    >
      Build with me
    </Button>
  )
}
