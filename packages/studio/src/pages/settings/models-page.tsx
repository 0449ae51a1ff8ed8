import { Cpu } from 'lucide-react'
import { useRight } from '../../data/access/rights.ts'
import { useModelList, useModelSetDefault } from '../../data/library/model.ts'
import { Page } from '../../shell/page.tsx'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Select } from '../../ui/field/select.tsx'
import { Skeleton, Waiting } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { EmbeddingCard } from './embedding-card.tsx'
import { ProviderCard } from './provider-card.tsx'

const firstUsable = 'first'

/** Where models come from, and which one agents use that name none. */
export function ModelsPage() {
  const models = useModelList()
  const right = useRight('admin', 'set up models')
  return (
    <Page
      title="Models"
      description="Providers whose models the team’s agents use. Keys are encrypted, and nobody can read them back."
    >
      {models.error && !models.data ? (
        <Card flush>
          <ErrorState doing="load the models" error={models.error} onRetry={() => void models.refetch()} />
        </Card>
      ) : !models.data ? (
        <Card>
          <Waiting label="Loading">
            <Skeleton className="mb-3 h-4 w-40" />
            <Skeleton className="h-4 w-72" />
          </Waiting>
        </Card>
      ) : (
        <>
          <DefaultModel choices={models.data} canChange={right.may} />
          {models.data.providers.map((provider) => (
            <ProviderCard key={provider.id} provider={provider} canChange={right.may} />
          ))}
          <EmbeddingCard choices={models.data} canChange={right.may} />
        </>
      )}
    </Page>
  )
}

interface DefaultModelProps {
  choices: NonNullable<ReturnType<typeof useModelList>['data']>
  canChange: boolean
}

function DefaultModel({ choices: { providers, defaultModel, isChosen }, canChange }: DefaultModelProps) {
  const setDefault = useModelSetDefault()
  const usable = providers.flatMap(({ setBy, models }) => (setBy ? models : []))
  if (defaultModel === null && usable.length === 0) {
    return (
      <Card flush>
        <Empty icon={Cpu} title="No model yet">
          {canChange
            ? 'Add a key of a provider below, or start Ollama on this machine: it is found by itself.'
            : 'Agents can work once an admin has added a key, or Ollama runs on this machine.'}
        </Empty>
      </Card>
    )
  }
  const isListed = usable.some(({ name }) => name === defaultModel)
  return (
    <Card title="Default model" description="Used by agents that name none.">
      <Select
        label="Default model"
        className="max-w-96"
        disabled={!canChange}
        value={isChosen && defaultModel ? defaultModel : firstUsable}
        choices={[
          {
            value: firstUsable,
            label: 'The first that works',
            ...(!isChosen && defaultModel ? { hint: `Now ${defaultModel}` } : {}),
          },
          ...usable.map(({ name, title }) => ({ value: name, label: title, hint: name })),
          ...(isChosen && defaultModel && !isListed
            ? [{ value: defaultModel, label: defaultModel, hint: 'No longer set up' }]
            : []),
        ]}
        onChange={(next) =>
          setDefault.mutate(
            { body: { model: next === firstUsable ? null : next } },
            {
              onSuccess: (now) => toast({ title: `Agents use ${now.defaultModel ?? 'no model'} by default` }),
              onError: (error) => toast({ title: error.message, tone: 'error' }),
            },
          )
        }
      />
      {!isChosen && defaultModel && <p className="mt-1.5 text-small text-muted">Right now that is {defaultModel}.</p>}
    </Card>
  )
}
