import { useNavigate } from '@tanstack/react-router'
import { Sparkles } from 'lucide-react'
import { useAgentGenerate } from '../../data/library/agent.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field/field.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { TextArea } from '../../ui/field/text-area.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { layDraft } from '../../ui/state/draft.ts'
import { useDraftKey } from '../definitions/draft-key.ts'

const template = 'described'

/** Has a definition written from a description. It opens in the editor and is looked at before it is stored. */
export function DescribeAgent() {
  const generate = useAgentGenerate()
  const draftKey = useDraftKey('agent', `new-${template}`)
  const navigate = useNavigate()
  const form = useForm({
    initial: { text: '' },
    fields: ['text'],
    async send({ text }) {
      const { source } = await generate.mutateAsync({ body: { text } })
      layDraft(draftKey, { source })
      await navigate({ to: '/agents/new/$template', params: { template } })
    },
  })
  return (
    <form onSubmit={form.submit} className="flex flex-col gap-2">
      <Field
        label="Describe the agent"
        hint="What it does, on what, and when. A model writes the definition, which takes up to two minutes."
        error={form.errorOf('text')}
      >
        <TextArea rows={3} maxLength={20_000} {...form.text('text')} />
      </Field>
      <FormError error={form.error} />
      <Button
        type="submit"
        className="self-end"
        icon={<Sparkles aria-hidden />}
        busy={form.busy}
        disabled={form.values.text.trim() === ''}
      >
        Generate
      </Button>
    </form>
  )
}
