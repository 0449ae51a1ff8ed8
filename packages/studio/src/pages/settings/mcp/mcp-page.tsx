import type { McpSetup } from '@coherex/contract'
import { useState } from 'react'
import { useMcpSetup } from '../../../data/mcp.ts'
import { Page } from '../../../shell/page.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { Segmented } from '../../../ui/field/segmented.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { Code } from '../../../ui/text/code.tsx'
import { CopyField } from '../../../ui/text/copy.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { McpClientsCard } from './mcp-clients-card.tsx'

/** How other programs use the team's tools over MCP, and which of them may. */
export function McpPage() {
  const setup = useMcpSetup()
  return (
    <Page
      title="MCP"
      description="Claude, Cursor, VS Code and every other MCP client can use the tools, code, workspaces and agents of this team, within your rights."
    >
      {!setup.data &&
        (setup.error ? (
          <ErrorState doing="load the MCP settings" error={setup.error} onRetry={() => void setup.refetch()} />
        ) : (
          <WaitingLines
            label="Loading the MCP settings"
            className="gap-3"
            lines={['h-4 w-64', 'h-8 w-full', 'h-20 w-full']}
          />
        ))}
      {setup.data && (
        <>
          <ConnectCard setup={setup.data} />
          <PublishedCard setup={setup.data} />
        </>
      )}
      <McpClientsCard />
    </Page>
  )
}

function ConnectCard({ setup: { url, snippets } }: { setup: McpSetup }) {
  const [how, setHow] = useState<'sign-in' | 'key'>('sign-in')
  const tabs = snippets.map(({ client, title, where, text, signedIn }) => ({
    value: client,
    label: title,
    content: (
      <div className="flex flex-col gap-2">
        <p className="text-small text-muted">
          {how === 'sign-in' && client === 'claude-desktop' ? 'Settings, Connectors, Add custom connector' : where}
        </p>
        <Code label={`Snippet for ${title}`} text={how === 'key' ? text : (signedIn ?? text)} />
      </div>
    ),
  }))
  return (
    <Card title="Connect a client">
      <div className="flex flex-col gap-5">
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
          <p className="text-small text-muted">
            {how === 'sign-in' ? (
              'The client opens a page here, where you choose the team and what it may do.'
            ) : (
              <>
                Put a <TextLink to="/settings/keys">key</TextLink> in place of YOUR_KEY. Its scopes decide which tools
                the client sees.
              </>
            )}
          </p>
        </div>
        <div className="min-w-0 overflow-x-auto">
          <Tabs label="Clients" tabs={tabs} />
        </div>
      </div>
    </Card>
  )
}

function PublishedCard({ setup: { published } }: { setup: McpSetup }) {
  return (
    <Card
      flush={published.length > 0}
      title="Deployed tools"
      description="Every published tool is there at once, besides run_code, sandboxes, workspaces and agents."
    >
      {published.length === 0 ? (
        <p className="text-dense text-muted">
          No tool is published yet. Publish one with <code className="text-small">coherex tool publish</code>.
        </p>
      ) : (
        <ul aria-label="Deployed tools">
          {published.map(({ name, description, version }) => (
            <li
              key={name}
              className="flex items-baseline gap-x-3 border-b border-line px-5 py-2.5 text-dense last:border-0"
            >
              <span className="shrink-0 font-medium">{name}</span>
              <span className="min-w-0 flex-1 truncate text-muted">{description}</span>
              <span className="text-small text-muted">version {version}</span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
