import type { Tool, ToolDetails, ToolTest } from '@coherex/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { Files, Play } from 'lucide-react'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useRight } from '../../data/access/rights.ts'
import { toolQuery, toolVersionQuery, useToolDiff, useToolSave } from '../../data/library/tool.ts'
import { LoadingPage } from '../../shell/loading-page.tsx'
import { usePageTitle } from '../../shell/page-title.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import type { PanelTab } from '../../ui/panel-tabs.tsx'
import { Reason } from '../../ui/reason.tsx'
import { toast } from '../../ui/toast/toast.ts'
import { useWorkbench } from '../../workbench/use-workbench.ts'
import { DefinitionBench } from '../definitions/definition-bench.tsx'
import { DefinitionStatus } from '../definitions/definition-status.tsx'
import { DefinitionTitle } from '../definitions/definition-title.tsx'
import { AddFolderFile, FolderFileList } from '../definitions/folder-files.tsx'
import { Comparison, NewerVersion } from '../definitions/newer-version.tsx'
import { EditTab } from './edit-tab.tsx'
import { PublishDialog } from './publish/publish-dialog.tsx'
import { SaveVersionDialog } from './publish/save-version-dialog.tsx'
import { ToolStatusPill } from './publish/tool-status.tsx'
import { useTestOfRun } from './tests/use-test-of-run.ts'
import { ToolActions } from './tool-actions.tsx'
import { ToolVersions } from './tool-versions.tsx'
import { toolPath, useToolDraft } from './use-tool-draft.ts'

const SchemaTab = lazy(async () => ({ default: (await import('./schema/schema-tab.tsx')).SchemaTab }))
const ToolReadme = lazy(async () => ({ default: (await import('./tool-readme.tsx')).ToolReadme }))
const TryTool = lazy(async () => ({ default: (await import('./try-tool.tsx')).TryTool }))
const ToolTests = lazy(async () => ({ default: (await import('./tests/tool-tests.tsx')).ToolTests }))
const TriggersTab = lazy(async () => ({
  default: (await import('../deliveries/triggers/triggers-tab.tsx')).TriggersTab,
}))
const ToolUsageTab = lazy(async () => ({ default: (await import('./usage/tool-usage.tsx')).ToolUsageTab }))
const ToolUsers = lazy(async () => ({ default: (await import('./usage/tool-users.tsx')).ToolUsers }))
const ToolAccess = lazy(async () => ({ default: (await import('./tool-access.tsx')).ToolAccess }))
const ToolMcp = lazy(async () => ({ default: (await import('./tool-mcp.tsx')).ToolMcp }))
const ToolExport = lazy(async () => ({ default: (await import('./tool-export.tsx')).ToolExport }))

export function ToolPage() {
  const { name } = useParams({ from: '/shell/team-places/tools/$name' })
  const tool = useQuery(toolQuery(name))
  const newest = useQuery({
    ...toolVersionQuery(name, tool.data?.newestVersion ?? 0),
    enabled: tool.data !== undefined,
    placeholderData: keepPreviousData,
  })
  usePageTitle(name)
  const error = tool.data ? newest.error : tool.error
  if (error && !newest.data) {
    return <ErrorState doing={`open the tool ${name}`} error={error} onRetry={() => void tool.refetch()} />
  }
  if (!tool.data || newest.data?.definition.name !== name) return <LoadingPage />
  return <ToolBench key={name} tool={tool.data} newest={newest.data} />
}

function ToolBench({ tool, newest }: { tool: Tool; newest: ToolDetails }) {
  const { name, version, newestVersion } = tool
  const { tab = 'edit' } = useSearch({ from: '/shell/team-places/tools/$name' })
  const navigate = useNavigate()
  const right = useRight('editor', 'change tools')
  const bench = useWorkbench('tool', { panels: { left: 'files', right: 'try' }, open: ['left'] })
  const draft = useToolDraft(name, newest)
  const [active, setActive] = useState<string>()
  const [publishing, setPublishing] = useState<number>()
  const [saving, setSaving] = useState<number>()
  const save = useToolSave()
  const entry = newest.definition.entry ?? Object.keys(draft.files).find((path) => path !== toolPath) ?? toolPath
  const shown = [active, entry, toolPath].find((path) => path !== undefined && path in draft.files) ?? toolPath
  const isBehind = draft.isChanged && draft.base !== newest.version
  const isValid = !draft.isChecking && draft.verdict?.valid === true
  const problems = draft.verdict?.problems.length ?? 0

  const goTo = (next: string) =>
    void navigate({ to: '/tools/$name', params: { name }, search: next === 'edit' ? {} : { tab: next }, replace: true })
  function open(path: string) {
    setActive(path)
    goTo('edit')
    bench.goTo('centre')
  }
  function writeReadme() {
    const path = Object.keys(draft.files).find((one) => one.toLowerCase() === 'readme.md') ?? 'README.md'
    draft.change({ ...draft.files, [path]: `# ${name}\n\n${newest.definition.description}\n` })
    open(path)
  }
  async function store(note: string) {
    const stored = await save.mutateAsync({ body: { files: draft.files, expectedVersion: draft.base, note } })
    draft.saved(stored.version)
    const isNew = stored.version > newestVersion
    toast({
      title: isNew ? `Version ${stored.version} of ${name} is saved` : `These files are version ${stored.version}`,
    })
  }
  /** Puts a case into tool.yaml, to be saved with the next version. */
  async function addTest(test: ToolTest) {
    const edit = await import('./edit-tool.ts')
    draft.changeSource(edit.addTest(draft.source, test))
    toast({
      title: 'The test is in tool.yaml',
      description: `Save version ${newestVersion + 1} to keep it.`,
      action: { label: 'Show tests', run: () => goTo('tests') },
    })
  }

  useTestOfRun(name, (test) => void addTest(test))

  const tabs: PanelTab[] = [
    {
      value: 'edit',
      label: 'Edit',
      count: problems,
      stays: true,
      content: (
        <EditTab
          name={name}
          draft={draft}
          active={shown}
          onOpen={open}
          canEdit={right.may}
          notice={
            isBehind && (
              <NewerVersion
                version={newest.version}
                base={draft.base}
                onForget={draft.forget}
                onRebase={draft.rebase}
                comparison={<ToolComparison name={name} from={draft.base} to={newest.version} />}
              />
            )
          }
        />
      ),
    },
    lazily('readme', 'Readme', <ToolReadme files={draft.files} onWrite={right.may ? writeReadme : undefined} />),
    lazily('schema', 'Schema', <SchemaTab draft={draft} stored={newest} canEdit={right.may} />),
    lazily(
      'tests',
      'Tests',
      <ToolTests name={name} version={newestVersion} draft={draft} canEdit={right.may} />,
      draft.verdict?.definition?.tests?.length,
    ),
    { value: 'versions', label: 'Versions', content: <ToolVersions tool={tool} onPublish={setPublishing} /> },
    lazily(
      'triggers',
      'Triggers',
      <TriggersTab
        of={{ kind: 'tool', name }}
        state={{ source: draft.source, change: draft.changeSource }}
        canEdit={right.may}
      />,
      tool.current.definition.triggers?.length,
    ),
    lazily('usage', 'Usage', <ToolUsageTab name={name} />),
    lazily('used-by', 'Used by', <ToolUsers name={name} />),
    lazily('access', 'Access', <ToolAccess tool={tool} />),
    lazily('export', 'Export', <ToolExport tool={tool} />),
    lazily('mcp', 'Deploy to MCP', <ToolMcp tool={tool} onPublish={() => setPublishing(newestVersion)} />),
  ]
  return (
    <>
      <DefinitionBench
        bench={bench}
        noun="tool"
        title={
          <DefinitionTitle
            name={name}
            status={<ToolStatusPill status={tool.status} />}
            version={version === null ? 'not published' : `version ${version}`}
            owner={tool.owner}
            reach={tool.reach}
          />
        }
        onDiscard={draft.isChanged ? draft.forget : undefined}
        actions={
          <>
            {draft.isChanged ? (
              <Reason why={right.why}>
                <Button
                  look="primary"
                  disabled={!right.may || !isValid || isBehind}
                  onClick={() => setSaving(newestVersion + 1)}
                >
                  Save version {newestVersion + 1}
                </Button>
              </Reason>
            ) : (
              newestVersion !== version && (
                <Reason why={right.why}>
                  <Button look="primary" disabled={!right.may} onClick={() => setPublishing(newestVersion)}>
                    Publish version {newestVersion}
                  </Button>
                </Reason>
              )
            )}
            <ToolActions tool={tool} />
          </>
        }
        tabs={tabs}
        tab={tab}
        onTab={goTo}
        left={[
          {
            value: 'files',
            label: 'Files',
            icon: Files,
            actions: right.may && (
              <AddFolderFile
                hint="Beside tool.yaml and the entry file: modules and data that it reads."
                files={draft.files}
                onOpen={open}
                onChange={draft.change}
              />
            ),
            content: (
              <FolderFileList
                noun="tool"
                first={toolPath}
                files={draft.files}
                active={shown}
                canEdit={right.may}
                onOpen={open}
                onChange={draft.change}
              />
            ),
          },
        ]}
        trialIcon={Play}
        trial={
          <Suspense>
            <TryTool tool={tool} isChanged={draft.isChanged} onMakeTest={right.may ? addTest : undefined} />
          </Suspense>
        }
        status={
          <DefinitionStatus
            problems={draft.isChecking ? undefined : problems}
            isChanged={draft.isChanged}
            version={newest.version}
            path={shown}
            facts={tool.deprecation === null ? undefined : `Deprecated: ${tool.deprecation}`}
          />
        }
      />
      {saving !== undefined && (
        <SaveVersionDialog name={name} version={saving} onSave={store} onClose={() => setSaving(undefined)} />
      )}
      {publishing !== undefined && (
        <PublishDialog
          tool={tool}
          version={publishing}
          onClose={() => setPublishing(undefined)}
          onShow={(next) => {
            setPublishing(undefined)
            goTo(next)
          }}
        />
      )}
    </>
  )
}

function lazily(value: string, label: string, content: ReactNode, count?: number): PanelTab {
  return { value, label, count, content: <Suspense>{content}</Suspense> }
}

function ToolComparison({ name, from, to }: { name: string; from: number; to: number }) {
  return <Comparison from={from} to={to} diff={useToolDiff(name, { from, to })} />
}
