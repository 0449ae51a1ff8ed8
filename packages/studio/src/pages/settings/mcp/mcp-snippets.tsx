import type { McpSetup } from '@coherex/contract'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { useKeyCreate } from '../../../data/access/key.ts'
import { Button } from '../../../ui/button.tsx'
import { FormError } from '../../../ui/field/form-error.tsx'
import { Segmented } from '../../../ui/field/segmented.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { Code } from '../../../ui/text/code.tsx'
import { CopyField } from '../../../ui/text/copy.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { expiryOf } from '../key-expiry.ts'

interface McpSnippetsProps {
  setup: McpSetup
  /** What a key is called that is made here. */
  keyName: string
}

/** The address for MCP clients and what to paste into each, with a key in it where one is wanted. */
export function McpSnippets({ setup: { url, snippets }, keyName }: McpSnippetsProps) {
  const [how, setHow] = useState<'sign-in' | 'key'>('sign-in')
  const create = useKeyCreate()
  const key = create.data?.key
  const withKey = (text: string) => (key === undefined ? text : text.replaceAll('YOUR_KEY', key))
  const tabs = snippets.map(({ client, title, where, text, signedIn }) => ({
    value: client,
    label: title,
    content: (
      <div className="flex flex-col gap-2">
        <p className="text-small text-muted">
          {how === 'sign-in' && client === 'claude-desktop' ? 'Settings, Connectors, Add custom connector' : where}
        </p>
        <Code label={`Snippet for ${title}`} text={how === 'key' ? withKey(text) : (signedIn ?? text)} />
      </div>
    ),
  }))
  function createKey() {
    const expiresAt = expiryOf('90', Date.now())
    create.mutate({ body: { name: keyName, scopes: ['read', 'run'], ...(expiresAt && { expiresAt }) } })
  }
  return (
    <div className="flex min-w-0 flex-col gap-5">
      <CopyField label="Address for MCP clients" text={url} />
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Segmented
          label="How the client gets in"
          value={how}
          onChange={setHow}
          choices={[
            { value: 'sign-in', label: 'Sign in' },
            { value: 'key', label: 'API key' },
          ]}
        />
        {how === 'key' && key === undefined && (
          <Button icon={<KeyRound aria-hidden />} busy={create.isPending} onClick={createKey}>
            Create a key and fill it in
          </Button>
        )}
      </div>
      <p aria-live="polite" className="text-small text-muted">
        {how === 'sign-in' ? (
          'The client opens a page here, where you choose the team and what it may do.'
        ) : key === undefined ? (
          <>
            Put a <TextLink to="/settings/keys">key</TextLink> in place of YOUR_KEY. Its scopes decide which tools the
            client sees.
          </>
        ) : (
          <>
            The new key {keyName} is in the snippets. Copy one now: the key is not shown again. It may read and run code
            for 90 days; revoke it in <TextLink to="/settings/keys">API keys</TextLink>.
          </>
        )}
      </p>
      <FormError error={create.error} />
      {how === 'key' && key !== undefined && <CopyField label="API key" text={key} />}
      <div className="min-w-0 overflow-x-auto">
        <Tabs label="Clients" tabs={tabs} />
      </div>
    </div>
  )
}
