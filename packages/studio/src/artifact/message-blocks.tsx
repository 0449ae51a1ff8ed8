import {
  countFences,
  findFences,
  kindOfFence,
  readFence,
  readMarks,
  type FoundFence,
  type Message,
} from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { createContext, use, useMemo, type ReactNode } from 'react'
import { artifactsQuery } from '../data/artifact.ts'
import { CodeBlock } from '../markdown/code-block.tsx'
import { FenceShown, type ShownFence } from '../markdown/fence-shown.tsx'
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
  const { text, words } = shown
  const blocks = use(BlocksContext)
  const { data: artifacts, isPending } = useQuery(artifactsQuery(blocks?.threadId ?? ''))
  const found = blocks && findBlock(blocks.fences, shown)
  if (!found || isPending) return <CodeBlock text={text} {...readFence(words)} />
  const { threadId, messageId } = blocks
  const artifact = artifacts?.find((one) => one.messageId === messageId && one.index === found.index)
  const Shown = found.kind === 'code' ? ArtifactBlock : Preview
  if (!Shown) return <CodeBlock text={text} {...readFence(words)} />
  return <Shown place={{ threadId, messageId, index: found.index }} fence={found} artifact={artifact} />
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
