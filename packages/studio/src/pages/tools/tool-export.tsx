import type { Tool, ToolExportFormat } from '@coherex/contract'
import { useState } from 'react'
import { useToolExport } from '../../data/library/tool.ts'
import { CodeBlock } from '../../markdown/code-block.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Checkbox } from '../../ui/field/checkbox.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'

const formats: Record<ToolExportFormat, { label: string; language: string }> = {
  curl: { label: 'curl', language: 'bash' },
  typescript: { label: 'TypeScript', language: 'typescript' },
  python: { label: 'Python', language: 'python' },
  'ai-sdk': { label: 'AI SDK', language: 'javascript' },
  langchain: { label: 'LangChain', language: 'javascript' },
  'langchain-python': { label: 'LangChain Python', language: 'python' },
  openai: { label: 'OpenAI function', language: 'json' },
  openapi: { label: 'OpenAPI', language: 'json' },
  mcp: { label: 'MCP', language: 'json' },
}
const names = Object.keys(formats) as ToolExportFormat[]

/** The tool as another framework or language calls it. */
export function ToolExport({ tool: { name, version, newestVersion } }: { tool: Tool }) {
  const [isPinned, setPinned] = useState(false)
  // a draft has no published version that callers could get
  const pins = isPinned || version === null
  const pinned = version ?? newestVersion
  return (
    <div className="flex flex-col gap-3 p-4">
      <p className="text-dense text-muted">
        It reads the address of this server and an API key from <code>COHEREX_URL</code> and{' '}
        <code>COHEREX_API_KEY</code>.
      </p>
      <Checkbox checked={pins} disabled={version === null} onChange={setPinned}>
        Stay with version {pinned}
      </Checkbox>
      <Tabs
        label="Formats"
        tabs={names.map((format) => ({
          value: format,
          label: formats[format].label,
          content: <Exported name={name} query={{ format, ...(pins && { version: pinned }) }} />,
        }))}
      />
    </div>
  )
}

function Exported({ name, query }: { name: string; query: { format: ToolExportFormat; version?: number } }) {
  const { data, error, refetch } = useToolExport(name, query)
  if (error) return <ErrorState doing="export the tool" error={error} onRetry={() => void refetch()} />
  if (!data) return <WaitingLines label="Loading" className="gap-2" lines={['h-4', 'h-24']} />
  return <CodeBlock title={data.fileName} text={data.text} language={formats[query.format].language} />
}
