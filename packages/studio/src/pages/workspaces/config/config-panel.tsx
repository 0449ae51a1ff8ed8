import { languageFacts, languageOfFile, type WorkspaceFile } from '@coherex/contract'
import { SlidersHorizontal, Wrench } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ToolNeeds } from '../../../cell/export-as-tool.tsx'
import { OptionsForm } from '../../../cell/options/options-form.tsx'
import { readOptions, type OptionName, type TypedOptions } from '../../../cell/options/typed-options.ts'
import type { Right } from '../../../data/access/rights.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'
import { Button } from '../../../ui/button.tsx'
import { Empty } from '../../../ui/empty.tsx'
import { Reason } from '../../../ui/reason.tsx'
import { RuntimeChoice } from './runtime-choice.tsx'
import { toolFileOf } from './tool-file-of.ts'
import { ToolSchemas } from './tool-schemas.tsx'

interface ConfigPanelProps {
  id: string
  path: string | undefined
  file: WorkspaceFile | undefined
  files: readonly WorkspaceFile[]
  live: LiveWorkspace | undefined
  options: TypedOptions | undefined
  mayRun: Right
  mayWrite: Right
  onOptions: (options: TypedOptions) => void
  /** Another panel of the dock is to be shown. */
  onPanel: (panel: 'packages' | 'variables') => void
  /** A file with what is typed here, or the tool.yaml of a folder with what it says, is to become a tool. */
  onPublish: (path: string, needs?: ToolNeeds) => void
  onOpen: (path: string) => void
}

/** What the open file is run with, and what it is as a tool. */
export function ConfigPanel(props: ConfigPanelProps) {
  const { id, path = '', file, files, live, options, mayRun, mayWrite, onPanel } = props
  const definition = toolFileOf(path, files)
  const language = languageOfFile(path)
  if (!options || (!language && !definition)) {
    return (
      <Empty icon={SlidersHorizontal} title="Nothing to configure">
        Open a code file to choose its runtime, limits and network, and to publish it as a tool.
      </Empty>
    )
  }
  const { needs, isWrong } = readNeeds(options)
  const form = (only: readonly OptionName[]) =>
    language && <OptionsForm language={language} options={options} onChange={props.onOptions} only={only} />
  return (
    <div className="flex min-h-0 flex-1 flex-col overflow-y-auto">
      {language && (
        <>
          <Section title="Language and runtime">
            <p className="text-dense">
              <span className="text-muted">Language</span> {languageFacts[language].name}
            </p>
            {form(['runtime', 'typecheck', 'readOnly'])}
            <RuntimeChoice
              key={path}
              workspaceId={id}
              path={path}
              language={language}
              options={options}
              fileHash={file?.hash ?? ''}
              mayRun={mayRun}
            />
          </Section>
          <Section title="Limits">{form(['seconds', 'memoryMb', 'outputKb'])}</Section>
          <Section title="Network">{form(['allow'])}</Section>
          <Section title="Input">{form(['input', 'args', 'stdin'])}</Section>
          <Section
            title="Variables"
            action={<PanelLink label="Variables of this workspace" onPress={() => onPanel('variables')} />}
          >
            {form(['env'])}
          </Section>
          <Section
            title="Packages"
            action={<PanelLink label="Packages of this workspace" onPress={() => onPanel('packages')} />}
          >
            {form(['packages'])}
          </Section>
        </>
      )}
      <Section title="Schemas">
        {definition ? (
          <ToolSchemas
            key={definition.path}
            id={id}
            file={definition}
            live={live}
            mayWrite={mayWrite}
            onOpen={props.onOpen}
          />
        ) : (
          <p className="text-dense text-muted">
            Input and output are read from the code when it becomes a tool: from Zod, Pydantic, types or type hints. A
            folder with a tool.yaml can have them written here.
          </p>
        )}
      </Section>
      <Section title="Tool">
        <p className="text-dense text-muted">
          {definition
            ? `The folder of ${definition.path} becomes a tool, or the next version of one.`
            : 'This file becomes a tool that agents and programs call, with the limits, network and packages above.'}
        </p>
        <Reason why={mayWrite.why ?? (isWrong && !definition ? 'Correct the limits and the network first' : undefined)}>
          <Button
            className="self-start"
            icon={<Wrench aria-hidden />}
            disabled={!mayWrite.may || (isWrong && !definition)}
            onClick={() => (definition ? props.onPublish(definition.path) : props.onPublish(path, needs))}
          >
            Publish as tool…
          </Button>
        </Reason>
      </Section>
    </div>
  )
}

/** What of the options a tool has too. */
function readNeeds(options: TypedOptions): { needs: ToolNeeds; isWrong: boolean } {
  const { part, errors } = readOptions(options)
  const { packages, network, limits: { timeoutMs, memoryMb } = {} } = part
  const limits = { ...(timeoutMs !== undefined && { timeoutMs }), ...(memoryMb !== undefined && { memoryMb }) }
  return {
    needs: {
      ...(packages && { packages }),
      ...(network && { network }),
      ...(Object.keys(limits).length > 0 && { limits }),
    },
    isWrong: Boolean(errors.seconds ?? errors.memoryMb ?? errors.allow),
  }
}

function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="flex flex-col gap-3 border-b border-line px-4 py-3 last:border-b-0">
      <header className="flex min-h-7 flex-wrap items-center justify-between gap-x-3">
        <h3 className="text-dense font-semibold">{title}</h3>
        {action}
      </header>
      {children}
    </section>
  )
}

function PanelLink({ label, onPress }: { label: string; onPress: () => void }) {
  return (
    <Button size="small" look="quiet" className="-mr-2" onClick={onPress}>
      {label}
    </Button>
  )
}
