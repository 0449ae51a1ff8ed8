import { useEffect, useRef, useState } from 'react'
import type { ConsoleLine } from '../runtimes/drawing/drawing.ts'
import type { DrawingKind } from '../runtimes/drawing/open-drawing.ts'
import { Skeleton } from '../ui/skeleton.tsx'

interface DrawingProps {
  kind: DrawingKind
  code: string
  title: string
  /** It is code of a message that runs: what its console shows. */
  onLine?: (line: ConsoleLine) => void
}

/** A chart or diagram, drawn in a frame that can do nothing to the studio. */
export function Drawing({ kind, code, title, onLine }: DrawingProps) {
  const place = useRef<HTMLDivElement>(null)
  const hear = useRef(onLine)
  const [drawn, setDrawn] = useState<{ height: number } | { error: string }>()
  useEffect(() => {
    const gone = new AbortController()
    const element = place.current
    if (!element) return undefined
    const isDark = document.documentElement.dataset['theme'] === 'dark'
    import('../runtimes/drawing/open-drawing.ts')
      .then(({ openDrawing }) =>
        openDrawing(kind, { code, isDark }, { place: element, signal: gone.signal, onLine: hear.current }),
      )
      .then(
        (height) => setDrawn({ height }),
        (error: Error) => !gone.signal.aborted && setDrawn({ error: error.message }),
      )
    return () => gone.abort()
  }, [kind, code])
  const error = drawn && 'error' in drawn ? drawn.error : undefined
  return (
    <div className="relative">
      {!drawn && <Skeleton className="absolute inset-3" />}
      {error !== undefined && (
        <p role="alert" className="px-3 py-2 font-mono text-small break-words whitespace-pre-wrap text-red">
          {error}
        </p>
      )}
      <div
        ref={place}
        role={onLine ? 'group' : 'img'}
        aria-label={title}
        hidden={error !== undefined}
        style={{ height: drawn && 'height' in drawn ? drawn.height : 160 }}
      />
    </div>
  )
}
