import type { MessagePart, RecordedChange } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { CallInput } from '../../../../change/call-input.tsx'
import { FileChange } from '../../../../change/file-change.tsx'
import { readPartial } from '../../../../change/read-partial.ts'
import { RestoreButton } from '../../../../change/restore-button.tsx'
import { useRight } from '../../../../data/access/rights.ts'
import { pastChangeQuery, readVersionText } from '../../../../data/version.ts'
import { BesideButton } from '../../../../ui/beside/beside-button.tsx'
import { TextLink } from '../../../../ui/text/text-link.tsx'
import { changeBeside } from '../change-beside.tsx'
import { readChange, readProgramChanges } from './tool-results.ts'
import { toolNameOf, type ToolOutput } from './tool-words.ts'

/** What a call was given or did, and what it said. */
export function ToolBody({ part, isWorking }: { part: MessagePart; isWorking: boolean }) {
  const output = part['output'] as ToolOutput | undefined
  const errorText = typeof part['errorText'] === 'string' ? part['errorText'] : undefined
  const change = readChange(output?.data)
  return (
    <div className="flex flex-col divide-y divide-line border-t border-line">
      <div>
        {change ? <DoneChange change={change} otherwise={<GivenInput part={part} />} /> : <GivenInput part={part} />}
      </div>
      {readProgramChanges(output?.data).map((one) => (
        <DoneChange key={`${one.path} ${one.after}`} change={one} />
      ))}
      {((output?.text && !isWorking) || errorText) && (
        <pre
          tabIndex={0}
          role="region"
          aria-label="Result"
          className={`max-h-80 overflow-auto bg-sunken px-3 py-2 text-small leading-5 break-words whitespace-pre-wrap ${errorText ? 'text-red' : ''}`}
        >
          {errorText ?? output?.text}
        </pre>
      )}
      {output?.runId && (
        <p className="px-3 py-1.5 text-small">
          <TextLink to="/runs/$id" params={{ id: output.runId }}>
            Open the run
          </TextLink>
        </p>
      )}
    </div>
  )
}

function GivenInput({ part }: { part: MessagePart }) {
  const input = part['input'] ?? readPartial(String(part['inputText'] ?? ''))
  return <CallInput tool={toolNameOf(part)} input={input} />
}

/** What a call did to a file, from the versions before and after it; what it was given where they are gone. */
function DoneChange({ change, otherwise }: { change: RecordedChange; otherwise?: ReactNode }) {
  const { workspaceId, path, from, before, after } = change
  const isMoved = change.change === 'moved'
  const right = useRight('editor', 'restore files')
  const { data, error } = useQuery({
    ...pastChangeQuery(workspaceId, { path, from: before, to: after }),
    enabled: !isMoved,
  })
  const shown = isMoved ? { path, from, change: 'moved' as const, binary: false, diff: '' } : data
  if (error || shown === null) return otherwise
  if (!shown) return null
  const whole = { side: 'after' as const, read: () => readVersionText(workspaceId, after, path) }
  return (
    <div className="p-2">
      <FileChange
        {...shown}
        isBounded
        whole={whole}
        actions={
          <>
            <BesideButton item={changeBeside(`${workspaceId} ${after}`, { ...shown, whole })} name={path} />
            {shown.change !== 'deleted' && (
              <span className="px-1 text-small">
                <TextLink to="/workspaces/$id" params={{ id: workspaceId }} search={{ file: path }}>
                  Open
                </TextLink>
              </span>
            )}
            {right.may && !isMoved && (
              <RestoreButton workspaceId={workspaceId} path={path} version={before} isNew={shown.change === 'added'} />
            )}
          </>
        }
      />
    </div>
  )
}
