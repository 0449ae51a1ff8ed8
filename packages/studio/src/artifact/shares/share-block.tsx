import type { Artifact } from '@coherex/contract'
import { lazy, Suspense, useState } from 'react'
import { useArtifactOpen } from '../../data/artifact.ts'
import { toast } from '../../ui/toast/toast.ts'
import type { BlockPlace } from '../use-block.ts'

const ShareDialog = lazy(async () => ({ default: (await import('./share-dialog.tsx')).ShareDialog }))

interface ShareBlockOptions {
  place: BlockPlace
  artifact: Artifact | undefined
  title: string
  /** Saves what is being typed: that is what is shared. */
  save: () => Promise<unknown>
  keep: (artifact: Artifact) => void
}

/** The way to share a block. One that was neither edited nor run becomes an artifact first. */
export function useShareBlock({ place, artifact, title, save, keep }: ShareBlockOptions) {
  const open = useArtifactOpen()
  const [isSharing, setSharing] = useState(false)
  async function share() {
    try {
      await save()
      const { threadId: id, messageId, index } = place
      if (!artifact) keep(await open.mutateAsync({ params: { id, messageId }, body: { index } }))
      setSharing(true)
    } catch (error) {
      toast({ title: 'Could not share the block', description: (error as Error).message, tone: 'error' })
    }
  }
  const dialog = isSharing && artifact && (
    <Suspense>
      <ShareDialog of={{ artifactId: artifact.id }} noun="block" title={title} onClose={() => setSharing(false)} />
    </Suspense>
  )
  return { share: () => void share(), dialog }
}
