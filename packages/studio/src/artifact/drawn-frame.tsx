import type { ArtifactKind } from '@coherex/contract'
import { Drawing } from '../output/drawing.tsx'
import { HtmlFrame } from '../output/html-frame.tsx'
import { useSettled } from '../ui/state/use-settled.ts'
import { LivePreview } from './live-preview.tsx'

interface DrawnFrameProps {
  kind: ArtifactKind
  code: string
  title: string
  /** Whether its scripts may run where it is shown. */
  mayRun?: boolean
}

/** A page or a drawing of a message, where it can do nothing to the studio. */
export function DrawnFrame({ kind, code, title, mayRun = true }: DrawnFrameProps) {
  // each key press would draw it anew
  const settled = useSettled(code, 400)
  if (kind === 'mermaid' || kind === 'vega') return <Drawing key={settled} kind={kind} code={settled} title={title} />
  if (kind === 'svg') {
    const url = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(withNamespace(settled).toWellFormed())}`
    return (
      <div className="flex justify-center px-3 py-2">
        <img src={url} alt={title} className="max-h-160 max-w-full rounded-sm bg-[#ffffff]" />
      </div>
    )
  }
  if (kind === 'react' || /<script|\son\w+\s*=/i.test(settled))
    return <LivePreview kind={kind === 'react' ? 'react' : 'html'} code={settled} title={title} mayRun={mayRun} />
  return (
    <div className="px-3 py-1">
      <HtmlFrame html={settled} />
    </div>
  )
}

/** An image is read as XML: without this it is none. */
function withNamespace(svg: string): string {
  return /<svg[^>]*\sxmlns=/.test(svg) ? svg : svg.replace(/<svg/, '<svg xmlns="http://www.w3.org/2000/svg"')
}
