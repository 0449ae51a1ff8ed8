import { useModelSetEmbedding, type useModelList } from '../../data/library/model.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field/field.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { Input } from '../../ui/field/input.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { toast } from '../../ui/toast/toast.ts'

interface EmbeddingCardProps {
  choices: NonNullable<ReturnType<typeof useModelList>['data']>
  canChange: boolean
}

/** The model that makes vectors of texts. Providers do not say which of their models do, so it is named. */
export function EmbeddingCard({ choices: { embeddingModel, isEmbeddingChosen }, canChange }: EmbeddingCardProps) {
  const setEmbedding = useModelSetEmbedding()
  const chosen = isEmbeddingChosen ? (embeddingModel ?? '') : ''
  const form = useForm({
    draft: 'embedding-model',
    initial: { model: chosen },
    fields: ['model'],
    send: ({ model }) => setEmbedding.mutateAsync({ body: { model: model.trim() || null } }),
    after: ({ model }) => ({ model: model.trim() }),
    onSent: () => void toast({ title: 'The embedding model is saved' }),
  })
  return (
    <Card title="Embedding model" description="Makes vectors of texts for programs that ask /v1/embeddings.">
      {canChange ? (
        <form onSubmit={form.submit} className="flex flex-col gap-3">
          <Field
            label="Provider and model"
            hint={hintOf(embeddingModel, isEmbeddingChosen)}
            error={form.errorOf('model')}
          >
            <div className="flex max-w-120 gap-2">
              <Input maxLength={200} placeholder="openai/text-embedding-3-small" {...form.text('model')} />
              <Button type="submit" disabled={form.values.model.trim() === chosen} busy={form.busy}>
                Save model
              </Button>
            </div>
          </Field>
          <FormError error={form.error} />
        </form>
      ) : (
        <p className="text-dense text-muted">{embeddingModel ?? 'None yet: an admin of the team can choose one.'}</p>
      )}
    </Card>
  )
}

function hintOf(model: string | null, isChosen: boolean): string {
  if (isChosen || model === null) return 'Such as compatible/nomic-embed-text. Empty for none.'
  return `Empty for ${model}, which the operator set.`
}
