import { findFences, readFence, readMarks, type FoundFence, type Message } from '@coherex/contract'
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
  fences: readonly FoundFence[]
}

const BlocksContext = createContext<Blocks | undefined>(undefined)

/** Makes the fences of a message things to run, edit and look at. */
export function MessageBlocks({ threadId, message, children }: MessageBlocksProps) {
  const { id: messageId, parts } = message
  const blocks = useMemo(
    () => ({
      threadId,
      messageId,
      fences: findFences(parts.flatMap((one) => (one.type === 'text' ? String(one['text']) : []))),
    }),
    [threadId, messageId, parts],
  )
  return (
    <BlocksContext value={blocks}>
      <FenceShown value={showFence}>{children}</FenceShown>
    </BlocksContext>
  )
}

const showFence = (fence: ShownFence) => <Fence {...fence} />

function Fence({ text, words }: ShownFence) {
  const blocks = use(BlocksContext)
  const { data: artifacts, isPending } = useQuery(artifactsQuery(blocks?.threadId ?? ''))
  const found = blocks && findBlock(blocks.fences, text, words)
  if (!found || isPending) return <CodeBlock text={text} {...readFence(words)} />
  const { threadId, messageId } = blocks
  const artifact = artifacts?.find((one) => one.messageId === messageId && one.index === found.index)
  const Shown = found.kind === 'code' ? ArtifactBlock : Preview
  if (!Shown) return <CodeBlock text={text} {...readFence(words)} />
  return <Shown place={{ threadId, messageId, index: found.index }} fence={found} artifact={artifact} />
}

/** The fence that a block of the page is. Two with the same text are one artifact. */
function findBlock(fences: readonly FoundFence[], text: string, words: string): FoundFence | undefined {
  const { title, language } = readMarks(words)
  // lists and quotes take away what stands before a line, each reader in its own way
  const bare = (code: string) => code.replace(/^[ \t>]+/gm, '').trimEnd()
  const same = fences.filter((one) => one.title === title && bare(one.code) === bare(text))
  return same.find((one) => one.language === language.toLowerCase()) ?? same[0]
}
