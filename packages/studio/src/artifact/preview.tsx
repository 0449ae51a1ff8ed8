import { lazy, Suspense, useState } from 'react'
import { useRight } from '../data/access/rights.ts'
import { Markdown } from '../markdown/markdown.tsx'
import { Button } from '../ui/button.tsx'
import { BlockCode } from './block-code.tsx'
import { useBlockExports } from './block-exports.tsx'
import { BlockFrame } from './block-frame.tsx'
import { BlockMenu } from './block-menu.tsx'
import { BlockProblem } from './block-problem.tsx'
import { DrawnFrame } from './drawn-frame.tsx'
import { useShareBlock } from './shares/share-block.tsx'
import { useBlock, type BlockProps } from './use-block.ts'

const HistoryDialog = lazy(async () => ({ default: (await import('./history-dialog.tsx')).HistoryDialog }))

const names: Record<string, string> = {
  html: 'HTML',
  react: 'React',
  svg: 'SVG',
  mermaid: 'Mermaid',
  vega: 'Vega-Lite',
  markdown: 'Markdown',
}
// longer takes a page too long to lay out
const longest = 100_000

/** A block that is looked at: a page, a drawing, a diagram. */
export function Preview(props: BlockProps) {
  const { fence, artifact, place } = props
  const { kind } = fence
  const right = useRight('editor', 'edit blocks')
  const [isCode, setCode] = useState(false)
  // one that asks for it opens by itself, and does not take the cursor
  const [isEditing, setEditing] = useState(fence.opens && right.may)
  const block = useBlock(props, { isEditing: isEditing && right.may })
  const [hasOpened, setOpened] = useState(false)
  const [isFolded, setFolded] = useState(false)
  const [isLooking, setLooking] = useState(false)
  const name = names[kind] ?? kind
  const title = fence.title ?? name
  const sharing = useShareBlock({ place, artifact, title, save: block.saveNow, keep: block.keep })
  const exports = useBlockExports({
    ...{ place, fence, artifact, code: block.code, why: right.why, save: block.saveNow, keep: block.keep },
  })
  return (
    <BlockFrame
      title={title}
      language={name}
      version={block.version}
      isFolded={isFolded}
      onFold={setFolded}
      onBeside={props.onBeside}
      status={block.isSaving ? <span className="text-muted">Saving</span> : null}
      actions={
        <>
          <Button size="small" look="quiet" aria-pressed={isCode} onClick={() => setCode(!isCode)}>
            {isCode ? 'Preview' : 'Code'}
          </Button>
          <BlockMenu
            code={block.code}
            isEditing={isEditing}
            why={right.why}
            onEdit={() => {
              if (isEditing) void block.saveNow()
              setEditing(!isEditing)
              setOpened(true)
            }}
            more={exports.items}
            onHistory={artifact && (() => setLooking(true))}
            onShare={sharing.share}
          />
        </>
      }
    >
      {(isCode || isEditing) && (
        <BlockCode
          label={`Code of ${title}`}
          folder={`artifact/${place.messageId}/${place.index}`}
          language={fence.language}
          code={block.code}
          path={block.path}
          live={block.live}
          isEditing={isEditing}
          autoFocus={hasOpened}
          isNumbered={false}
          mark={undefined}
          onChange={block.type}
        />
      )}
      {block.problem !== undefined && (
        <BlockProblem problem={block.problem} onMine={() => void block.keepMine()} onTheirs={block.takeTheirs} />
      )}
      {(!isCode || isEditing) &&
        (block.code.length > longest ? (
          <p className="px-3 py-2 text-dense text-muted">It is too long to be shown here. Its code can be read.</p>
        ) : kind === 'markdown' ? (
          <div className="px-3 py-2">
            <Markdown text={block.code} />
          </div>
        ) : (
          <DrawnFrame kind={kind} code={block.code} title={title} />
        ))}
      {isLooking && artifact && (
        <Suspense>
          <HistoryDialog
            artifact={artifact}
            title={title}
            why={right.why}
            onRestore={(text) => void block.restore(text)}
            onShowRun={() => undefined}
            onClose={() => setLooking(false)}
          />
        </Suspense>
      )}
      {sharing.dialog}
      {exports.dialog}
    </BlockFrame>
  )
}
