import type { McpPlace } from '@coherex/contract'
import { useMcpServerAdd } from '../../../data/mcp-server.ts'
import { Field } from '../../../ui/field/field.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { Select } from '../../../ui/field/select.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { useForm } from '../../../ui/form/use-form.ts'
import { toast } from '../../../ui/toast/toast.ts'

interface Values {
  name: string
  kind: McpPlace['kind']
  url: string
  auth: 'none' | 'key' | 'oauth'
  secret: string
  header: string
  command: string
  packages: string
  allow: string
}

const words = (text: string) => text.split(/\s+/).filter(Boolean)

export function AddMcpServerDialog({ onClose, onAdded }: { onClose: () => void; onAdded: (name: string) => void }) {
  const add = useMcpServerAdd()
  const initial: Values = {
    ...{ name: '', kind: 'remote', url: '', auth: 'none', secret: '', header: 'Authorization' },
    ...{ command: '', packages: '', allow: '' },
  }
  const form = useForm({
    draft: 'add-mcp-server',
    initial,
    send: (values) => add.mutateAsync({ body: { name: values.name, place: toPlace(values) } }),
    onSent({ name, problem }) {
      onAdded(name)
      toast({ title: `${name} is added`, ...(problem !== null && { description: problem }) })
    },
  })
  const { name, kind, url, auth, secret, command } = form.values
  const isRemote = kind === 'remote'
  const isReady = name !== '' && (isRemote ? url !== '' && (auth !== 'key' || secret !== '') : command !== '')
  return (
    <FormDialog
      title="Add MCP server"
      description="Agents get none of its tools before an admin has approved them."
      form={form}
      action="Add server"
      ready={isReady}
      onClose={onClose}
    >
      <Field label="Name" hint="Lower-case letters, digits and hyphens. Agents name it as mcp:NAME.">
        <Input required autoFocus maxLength={30} spellCheck={false} placeholder="github" {...form.text('name')} />
      </Field>
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
      {isRemote ? (
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
                <Input
                  required
                  spellCheck={false}
                  className="font-mono"
                  placeholder="GITHUB_TOKEN"
                  {...form.text('secret')}
                />
              </Field>
              <Field label="Header" hint="In Authorization it is sent as a bearer token.">
                <Input required spellCheck={false} className="font-mono" {...form.text('header')} />
              </Field>
            </>
          )}
        </>
      ) : (
        <>
          <Field label="Command" hint="With its arguments, separated by spaces.">
            <Input
              required
              spellCheck={false}
              className="font-mono"
              placeholder="node server.js"
              {...form.text('command')}
            />
          </Field>
          <Field label="Packages" hint="npm:NAME or pypi:NAME, separated by spaces.">
            <Input spellCheck={false} className="font-mono" {...form.text('packages')} />
          </Field>
          <Field label="Network" hint="URL prefixes that it may reach, separated by spaces. None unless said.">
            <Input spellCheck={false} className="font-mono" {...form.text('allow')} />
          </Field>
        </>
      )}
    </FormDialog>
  )
}

function toPlace({ kind, url, auth, secret, header, command, packages, allow }: Values): McpPlace {
  if (kind === 'remote') {
    return { kind, url, auth: auth === 'key' ? { kind: auth, secret, header } : { kind: auth } }
  }
  const [program = '', ...args] = words(command)
  return {
    ...{ kind, command: program, args, language: 'javascript', packages: words(packages), env: {} },
    network: { allow: words(allow) },
  }
}
