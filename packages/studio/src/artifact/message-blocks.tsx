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
import { ArtifactBlock } from './artifact-block.tsx'
import { Preview } from './preview.tsx'

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

function Block({ threadId, messageId, fence }: { threadId: string; messageId: string; fence: FoundFence }) {
  const { data: artifacts, isPending } = useQuery(artifactsQuery(threadId))
  if (isPending) return <CodeBlock text={fence.code} language={fence.language} title={fence.title ?? undefined} />
  const artifact = artifacts?.find((one) => one.messageId === messageId && one.index === fence.index)
  const Shown = fence.kind === 'code' ? ArtifactBlock : Preview
  return <Shown place={{ threadId, messageId, index: fence.index }} fence={fence} artifact={artifact} />
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
