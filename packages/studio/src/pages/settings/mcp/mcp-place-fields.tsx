import { Field } from '../../../ui/field/field.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { Select } from '../../../ui/field/select.tsx'
import { TextArea } from '../../../ui/field/text-area.tsx'
import type { McpPlaceValues } from './mcp-place-values.ts'

type TextName = Exclude<keyof McpPlaceValues, 'kind' | 'auth'>

interface PlaceForm {
  values: McpPlaceValues
  set(change: Partial<McpPlaceValues>): void
  text(name: TextName): { value: string; onChange: (event: { target: { value: string } }) => void }
  errorOf(name: 'command'): string | undefined
}

/** Where a server is and how it is reached. */
export function McpPlaceFields({ form }: { form: PlaceForm }) {
  const { kind } = form.values
  return (
    <>
      <Field label="Where it runs">
        <Select
          value={kind}
          onChange={(next) => form.set({ kind: next })}
          choices={[
            { value: 'remote', label: 'At an address', hint: 'Streamable HTTP' },
            {
              value: 'sandboxed',
              label: 'In a sandbox here',
              hint: 'A command that speaks MCP on standard input and output',
            },
          ]}
        />
      </Field>
      {kind === 'remote' ? <RemoteFields form={form} /> : <SandboxedFields form={form} />}
    </>
  )
}

function RemoteFields({ form }: { form: PlaceForm }) {
  const { auth, clientId } = form.values
  const mono = { spellCheck: false, className: 'font-mono' }
  return (
    <>
      <Field label="Address">
        <Input required spellCheck={false} placeholder="https://mcp.example.com/mcp" {...form.text('url')} />
      </Field>
      <Field label="Sign-in">
        <Select
          value={auth}
          onChange={(next) => form.set({ auth: next })}
          choices={[
            { value: 'none', label: 'None' },
            { value: 'key', label: 'A key', hint: 'A secret of the team, sent in a header' },
            { value: 'oauth', label: 'OAuth', hint: 'You sign in at the server; the team uses that sign-in' },
          ]}
        />
      </Field>
      {auth === 'key' && (
        <>
          <Field label="Secret" hint="The name of a secret of the team.">
            <Input required {...mono} placeholder="GITHUB_TOKEN" {...form.text('secret')} />
          </Field>
          <Field label="Header" hint="In Authorization it is sent as a bearer token.">
            <Input required {...mono} {...form.text('header')} />
          </Field>
        </>
      )}
      {auth === 'oauth' && (
        <>
          <Field label="Scope" hint="What to ask for, separated by spaces. As the server says unless given.">
            <Input {...mono} {...form.text('scope')} />
          </Field>
          <Field label="Client ID" hint="Of a client that you registered there. Most servers need none.">
            <Input {...mono} {...form.text('clientId')} />
          </Field>
          {clientId !== '' && (
            <Field label="Client secret" hint="The name of a secret of the team.">
              <Input {...mono} {...form.text('clientSecret')} />
            </Field>
          )}
        </>
      )}
    </>
  )
}

function SandboxedFields({ form }: { form: PlaceForm }) {
  const mono = { spellCheck: false, className: 'font-mono' }
  return (
    <>
      <Field label="Command" hint="With its arguments. Quote one that has spaces." error={form.errorOf('command')}>
        <Input required {...mono} placeholder="some-server --root 'My files'" {...form.text('command')} />
      </Field>
      <Field label="Packages" hint="npm:NAME or pypi:NAME, separated by spaces.">
        <Input {...mono} {...form.text('packages')} />
      </Field>
      <Field label="Template" hint="A template of sandboxes that it starts from, such as data@3.">
        <Input {...mono} {...form.text('template')} />
      </Field>
      <Field
        label="Secrets"
        hint="One per line: the variable it reads and the secret of the team, as API_KEY=GITHUB_TOKEN."
      >
        <TextArea {...mono} rows={2} {...form.text('env')} />
      </Field>
      <Field label="Network" hint="URL prefixes that it may reach, separated by spaces. None unless said.">
        <Input {...mono} {...form.text('allow')} />
      </Field>
    </>
  )
}
