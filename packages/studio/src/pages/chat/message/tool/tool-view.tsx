import type { MessagePart, ToolApp } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { AppWindow } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { appQuery, callFromApp } from '../../../../data/library/tool-app.ts'
import { mostHeight, openApp } from '../../../../output/app-host.ts'
import { Skeleton } from '../../../../ui/skeleton.tsx'
import { fieldsOf, readAppOwner } from './tool-results.ts'
import type { ToolOutput } from './tool-words.ts'

export interface ToolViewProps {
  part: MessagePart
  output: ToolOutput
  threadId: string
  messageId: string
}

/** The view that a tool declares for what it gave: a page of strangers, in a frame that can do nothing to the studio. */
export function ToolView({ part, output, threadId, messageId }: ToolViewProps) {
  const named = { id: threadId, messageId, callId: String(part['toolCallId']) }
  const { data: app, error } = useQuery(appQuery(named))
  const title = readAppOwner(output.data) ?? 'the tool'
  if (error) return <p className="text-dense text-muted">The view could not be shown: {error.message}</p>
  if (!app) return <Skeleton className="h-40" />
  return (
    <figure className={app.prefersBorder ? 'overflow-clip rounded-md border border-line bg-surface' : ''}>
      <figcaption className="flex min-h-8 items-center gap-2 px-3 text-small text-muted">
        <AppWindow aria-hidden className="size-4" />
        View of {title}
      </figcaption>
      <AppFrame key={named.callId} app={app} title={`View of ${title}`} part={part} output={output} named={named} />
    </figure>
  )
}

interface AppFrameProps {
  app: ToolApp
  title: string
  part: MessagePart
  output: ToolOutput
  named: { id: string; messageId: string; callId: string }
}

function AppFrame({ app, title, part, output, named }: AppFrameProps) {
  const place = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(160)
  const [ended, setEnded] = useState<string>()
  // what it shows does not change: a message that is drawn again keeps the view as it is
  const shown = useRef({ input: part['input'], result: toResult(output), named })
  useEffect(() => {
    const element = place.current
    if (!element) return undefined
    const gone = new AbortController()
    const { input, result, named: call } = shown.current
    const opening = openApp({
      ...{ place: element, html: app.html, title, shown: { input, result }, look: readLook },
      call: (tool, given, signal) => callFromApp(call, { tool, input: given }, signal),
      onHeight: (wanted) => setHeight(Math.min(mostHeight, Math.max(40, Math.ceil(wanted)))),
      onEnd: setEnded,
      signal: gone.signal,
    })
    const watch = new MutationObserver(() => void opening.then(({ changeLook }) => changeLook()))
    watch.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    opening.catch((error: Error) => !gone.signal.aborted && setEnded(error.message))
    return () => {
      watch.disconnect()
      gone.abort()
    }
  }, [app.html, title])
  return (
    <>
      {ended !== undefined && (
        <p role="alert" className="px-3 pb-2 text-dense text-red">
          {ended}
        </p>
      )}
      <div ref={place} hidden={ended !== undefined} style={{ height }} />
    </>
  )
}

/** As its server answered, as far as that was kept. */
function toResult({ text, displays = [], data }: ToolOutput): object {
  const { structured, meta } = fieldsOf(data)
  const images = displays.flatMap((one) =>
    Object.entries(one).map(([mimeType, bytes]) => ({ type: 'image', mimeType, data: bytes })),
  )
  const isObject = typeof structured === 'object' && structured !== null && !Array.isArray(structured)
  return {
    content: [{ type: 'text', text }, ...images],
    ...(isObject && { structuredContent: structured }),
    ...(typeof meta === 'object' && meta !== null && { _meta: meta }),
  }
}

/** Colours of the studio by the names that views know. */
function readLook(): object {
  const style = getComputedStyle(document.documentElement)
  const of = (name: string) => style.getPropertyValue(name).trim()
  return {
    theme: document.documentElement.dataset['theme'] === 'dark' ? 'dark' : 'light',
    styles: {
      variables: {
        '--color-background-primary': of('--surface'),
        '--color-background-secondary': of('--sunken'),
        '--color-text-primary': of('--text'),
        '--color-text-secondary': of('--text-muted'),
        '--color-border-primary': of('--line'),
        '--font-sans': "'Inter', system-ui, sans-serif",
        '--font-mono': 'ui-monospace, monospace',
      },
    },
  }
}
