import type { McpSnippet } from '@coherex/contract'

const key = 'YOUR_KEY'
const header = `Bearer ${key}`
const json = (value: unknown) => JSON.stringify(value, null, 2)

/** What to paste into the clients that people use most. */
export function createSnippets(url: string): McpSnippet[] {
  const origin = new URL(url).origin
  const withKey = { url, headers: { Authorization: header } }
  return [
    {
      client: 'claude-code',
      title: 'Claude Code',
      where: 'In a terminal',
      language: 'bash',
      text: `claude mcp add --transport http coherex ${url} --header "Authorization: ${header}"`,
      signedIn: `claude mcp add --transport http coherex ${url}`,
    },
    {
      client: 'claude-desktop',
      title: 'Claude Desktop',
      where: 'claude_desktop_config.json',
      language: 'json',
      // it starts commands; servers on the web are added in its settings
      text: json({
        mcpServers: {
          coherex: { command: 'coherex', args: ['mcp'], env: { COHEREX_URL: origin, COHEREX_TOKEN: key } },
        },
      }),
      signedIn: url,
    },
    {
      client: 'cursor',
      title: 'Cursor',
      where: '.cursor/mcp.json',
      language: 'json',
      text: json({ mcpServers: { coherex: withKey } }),
      signedIn: json({ mcpServers: { coherex: { url } } }),
    },
    {
      client: 'vscode',
      title: 'VS Code',
      where: '.vscode/mcp.json',
      language: 'json',
      text: json({ servers: { coherex: { type: 'http', ...withKey } } }),
      signedIn: json({ servers: { coherex: { type: 'http', url } } }),
    },
    {
      client: 'codex',
      title: 'Codex',
      where: '~/.codex/config.toml',
      language: 'toml',
      text: `[mcp_servers.coherex]\nurl = "${url}"\nbearer_token_env_var = "COHEREX_TOKEN"`,
      signedIn: `[mcp_servers.coherex]\nurl = "${url}"`,
    },
  ]
}
