import {
  countFences,
  findFences,
  kindOfFence,
  readFence,
  readMarks,
  splitFences,
  type FoundFence,
  type Message,
} from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { createContext, use, useMemo, type ReactNode } from 'react'
import { artifactsQuery } from '../data/artifact.ts'
import { CodeBlock } from '../markdown/code-block.tsx'
import { FenceShown, type ShownFence } from '../markdown/fence-shown.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { BesideContext, useBeside } from '../ui/beside/beside.ts'
import { OpenedBeside } from '../ui/beside/opened-beside.tsx'
import { ArtifactBlock } from './artifact-block.tsx'
import { Preview } from './preview.tsx'
import type { BlockProps } from './use-block.ts'

interface MessageBlocksProps {
  threadId: string
  message: Message
  children: ReactNode
}

interface Blocks {
  threadId: string
  messageId: string
  /** With the part of the message that each is in. */
  fences: readonly { part: number; fence: FoundFence }[]
}

const BlocksContext = createContext<Blocks | undefined>(undefined)

/** Makes the fences of a message things to run, edit and look at. */
export function MessageBlocks({ threadId, message, children }: MessageBlocksProps) {
  const { id: messageId, parts } = message
  const blocks = useMemo(() => ({ threadId, messageId, fences: placeFences(parts) }), [threadId, messageId, parts])
  return (
    <BlocksContext value={blocks}>
      <FenceShown value={showFence}>{children}</FenceShown>
    </BlocksContext>
  )
}

const showFence = (fence: ShownFence) => <Fence {...fence} />

function Fence(shown: ShownFence) {
  const blocks = use(BlocksContext)
  const found = blocks && findBlock(blocks.fences, shown)
  if (!found) return <CodeBlock text={shown.text} {...readFence(shown.words)} />
  return <Block threadId={blocks.threadId} messageId={blocks.messageId} fence={found} />
}

/** What a person wrote, as it was written, with its fences as blocks. */
export function SaidBlocks({ threadId, message }: Omit<MessageBlocksProps, 'children'>) {
  const { id: messageId, parts } = message
  const pieces = useMemo(
    () => splitFences(parts.flatMap((one) => (one.type === 'text' ? String(one['text']) : []))),
    [parts],
  )
  return pieces.map((piece, at) => {
    if (typeof piece !== 'string') return <Block key={at} {...{ threadId, messageId }} fence={piece} />
    // a fence in another language is code all the same
    if (piece.includes('```')) return <Markdown key={at} text={piece} />
    return (
      <p key={at} className="text-body leading-[22px] break-words whitespace-pre-wrap">
        {piece.replace(/^\n+|\n+$/g, '')}
      </p>
    )
  })
}

interface OneBlockProps {
  threadId: string
  messageId: string
  fence: FoundFence
}

/** A block in its message, or a line that says that it is open beside: it is typed in and run in one place. */
function Block(props: OneBlockProps) {
  const { threadId, messageId, fence } = props
  const beside = useBeside()
  const key = `block ${messageId} ${fence.index}`
  const title = fence.title ?? fence.language
  if (beside?.openKey === key) return <OpenedBeside title={title} onReturn={beside.close} />
  const open =
    beside &&
    (() =>
      beside.open({
        key,
        title,
        content: (
          <div className="min-h-0 flex-1 overflow-y-auto p-3">
            <OneBlock {...{ threadId, messageId, fence }} />
          </div>
        ),
      }))
  return <OneBlock {...props} onBeside={open} />
}

function OneBlock({ threadId, messageId, fence, onBeside }: OneBlockProps & Pick<BlockProps, 'onBeside'>) {
  const { data: artifacts, isPending } = useQuery(artifactsQuery(threadId))
  if (isPending) {
    return (
      <BesideContext value={undefined}>
        <CodeBlock text={fence.code} language={fence.language} title={fence.title ?? undefined} />
      </BesideContext>
    )
  }
  const artifact = artifacts?.find((one) => one.messageId === messageId && one.index === fence.index)
  const Shown = fence.kind === 'code' ? ArtifactBlock : Preview
  const place = { threadId, messageId, index: fence.index }
  return <Shown place={place} fence={fence} artifact={artifact} onBeside={onBeside} />
}

function placeFences(parts: Message['parts']): Blocks['fences'] {
  let count = 0
  return parts.flatMap((one, part) => {
    if (one.type !== 'text') return []
    const texts = [String(one['text'])]
    const first = count
    count += countFences(texts)
    return findFences(texts).map((fence) => ({ part, fence: { ...fence, index: first + fence.index } }))
  })
}

/** The fence that a block of the page is: of those that say the same in its part, the one with as many before it. */
function findBlock(fences: Blocks['fences'], { part, before, ...shown }: ShownFence): FoundFence | undefined {
  const wanted = signOf(shown)
  const same = fences.filter(({ part: of, fence }) => of === part && signOfFound(fence) === wanted)
  return same[before.filter((one) => signOf(one) === wanted).length]?.fence
}

function signOf({ text, words }: Pick<ShownFence, 'text' | 'words'>): string {
  const { title, language } = readMarks(words)
  return JSON.stringify([title, kindOfFence(language)?.language, bare(text)])
}

function signOfFound({ title, language, code }: FoundFence): string {
  return JSON.stringify([title, language, bare(code)])
}

// lists and quotes take away what stands before a line, each reader in its own way
const bare = (code: string) => code.replace(/^[ \t>]+/gm, '').trimEnd()
