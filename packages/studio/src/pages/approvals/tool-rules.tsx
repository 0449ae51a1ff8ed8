import type { ToolRules as Rules } from '@coherex/contract'
import { useRight } from '../../data/access/rights.ts'
import { useToolRules, useToolRulesSet } from '../../data/library/tool.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field/field.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { Input } from '../../ui/field/input.tsx'
import { Switch } from '../../ui/field/switch.tsx'
import { useForm } from '../../ui/form/use-form.ts'
import { Reason } from '../../ui/reason.tsx'
import { toast } from '../../ui/toast/toast.ts'

/** What the team asks before a tool is published. */
export function ToolRules() {
  const { data } = useToolRules()
  return data ? <RulesForm key={JSON.stringify(data)} rules={data} /> : null
}

function RulesForm({ rules }: { rules: Rules }) {
  const right = useRight('admin', 'change what publishing needs')
  const set = useToolRulesSet()
  const form = useForm({
    draft: undefined,
    initial: {
      isReviewed: rules.toolReview === 'person',
      url: rules.service?.url ?? '',
      secret: rules.service?.secret ?? '',
    },
    fields: ['secret'],
    check: ({ url, secret }) => ({ secret: (url === '') === (secret === '') ? undefined : 'An address and a secret' }),
    after: (sent) => sent,
    send: ({ isReviewed, url, secret }) =>
      set.mutateAsync({
        body: { toolReview: isReviewed ? 'person' : 'none', service: url === '' ? null : { url, secret } },
      }),
    onSent: () => void toast({ title: 'The rules for tools are set' }),
  })
  return (
    <Card title="Publishing tools" description="What a version of a tool needs beside tests that pass and a licence.">
      <form onSubmit={form.submit} className="flex flex-col items-start gap-4">
        <Switch checked={form.values.isReviewed} onChange={(isReviewed) => form.set({ isReviewed })}>
          Another person approves it
        </Switch>
        <div className="grid w-full grid-cols-2 gap-4 max-md:grid-cols-1">
          <Field label="Review service" hint="Gets a version when somebody asks for its review, and answers comments.">
            <Input placeholder="https://review.example.com/" {...form.text('url')} />
          </Field>
          <Field label="Secret" hint="Name of the secret that signs what it is sent" error={form.errorOf('secret')}>
            <Input placeholder="REVIEW_KEY" {...form.text('secret')} />
          </Field>
        </div>
        <FormError error={form.error} />
        <Reason why={right.why}>
          <Button type="submit" disabled={!right.may} busy={form.busy}>
            Save rules for tools
          </Button>
        </Reason>
      </form>
    </Card>
  )
}
