import { Maximize2, Play, RotateCcw, Square } from 'lucide-react'
import { useRef, useState } from 'react'
import { Drawing } from '../output/drawing.tsx'
import { HtmlFrame } from '../output/html-frame.tsx'
import type { ConsoleLine } from '../runtimes/drawing/drawing.ts'
import { Button } from '../ui/button.tsx'

interface LivePreviewProps {
  kind: 'html' | 'react'
  code: string
  title: string
  mayRun: boolean
}

const mostLines = 200
const colours = { log: '', info: '', debug: 'text-muted', warn: 'text-amber', error: 'text-red' }

/** A page with scripts, or a component. It runs when asked to, in a frame that can do nothing to the studio and has no network. */
export function LivePreview({ kind, code, title, mayRun }: LivePreviewProps) {
  const [started, setStarted] = useState<number>()
  const [lines, setLines] = useState<ConsoleLine[]>([])
  const place = useRef<HTMLDivElement>(null)
  const key = `${started} ${code}`
  const [shownKey, setShownKey] = useState(key)
  // what an earlier text wrote is gone with it
  if (shownKey !== key) {
    setShownKey(key)
    setLines([])
  }
  const what = kind === 'react' ? 'component' : 'page'
  if (started === undefined)
    return (
      <div className="px-3 py-1">
        {kind === 'html' && <HtmlFrame html={code} />}
        <div className="flex flex-wrap items-center gap-2 border-t border-line py-1.5 text-small text-muted first:border-t-0">
          {mayRun && (
            <Button size="small" icon={<Play aria-hidden />} onClick={() => setStarted(1)}>
              {kind === 'react' ? 'Run' : 'Run scripts'}
            </Button>
          )}
          <span>
            {mayRun
              ? `The ${what} runs in this browser, without a network.`
              : `Scripts of the ${what} do not run here.`}
          </span>
        </div>
      </div>
    )
  return (
    <div>
      <div className="flex items-center gap-1.5 border-b border-line px-2 py-1">
        <Button size="small" look="danger-quiet" icon={<Square aria-hidden />} onClick={() => setStarted(undefined)}>
          Stop
        </Button>
        <Button size="small" look="quiet" icon={<RotateCcw aria-hidden />} onClick={() => setStarted(started + 1)}>
          Reload
        </Button>
        <Button
          size="small"
          look="quiet"
          icon={<Maximize2 aria-hidden />}
          onClick={() => void place.current?.querySelector('iframe')?.requestFullscreen()}
        >
          Full screen
        </Button>
      </div>
      <div ref={place} className={kind === 'html' ? 'bg-[#ffffff]' : ''}>
        <Drawing
          key={key}
          kind={kind}
          code={code}
          title={title}
          onLine={(line) => setLines((before) => [...before, line].slice(-mostLines))}
        />
      </div>
      {lines.length > 0 && (
        <div
          role="log"
          aria-label={`Console of ${title}`}
          // oxlint-disable-next-line jsx_a11y/no-noninteractive-tabindex -- it scrolls, and keys must reach it
          tabIndex={0}
          className="max-h-48 overflow-auto border-t border-line bg-sunken px-3 py-1.5 font-mono text-small"
        >
          {lines.map(({ stream, text }, at) => (
            <p key={at} className={`break-words whitespace-pre-wrap ${colours[stream]}`}>
              {text}
            </p>
          ))}
        </div>
      )}
    </div>
  )
}
