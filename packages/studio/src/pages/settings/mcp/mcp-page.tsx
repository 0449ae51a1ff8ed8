import type { McpSetup } from '@coherex/contract'
import { useMcpSetup } from '../../../data/library/mcp.ts'
import { Page } from '../../../shell/page.tsx'
import { Card } from '../../../ui/card.tsx'
import { ErrorState } from '../../../ui/error-state.tsx'
import { WaitingLines } from '../../../ui/skeleton.tsx'
import { CopyField } from '../../../ui/text/copy.tsx'
import { TextLink } from '../../../ui/text/text-link.tsx'
import { McpClientsCard } from './mcp-clients-card.tsx'
import { McpSnippets } from './mcp-snippets.tsx'

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
          <Card title="Connect a client">
            <McpSnippets setup={setup.data} keyName="MCP client" />
          </Card>
          <PublishedCard setup={setup.data} />
          <RegistryCard setup={setup.data} />
        </>
      )}
      <McpClientsCard />
    </Page>
  )
}

function RegistryCard({ setup: { registryUrl } }: { setup: McpSetup }) {
  return (
    <Card
      title="Registry"
      description="For clients that look servers up in an MCP registry (API v0.1). They must send an API key: VS Code, where the setting is chat.mcp.gallery.serviceUrl, sends none yet."
    >
      <CopyField label="Address of the registry" text={registryUrl} />
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
          No tool is published yet. Open one in <TextLink to="/tools">Tools</TextLink>, or create one there, and press
          Publish. From a folder on disk: <code className="text-small">coherex tool publish</code>.
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
