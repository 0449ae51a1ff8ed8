import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { changedBlocks } from '../../../change/changed-blocks.ts'
import { parseDiff } from '../../../change/parse-diff.ts'
import { splitHunks } from '../../../change/split-hunks.ts'
import type { Right } from '../../../data/access/rights.ts'
import { proposalQuery, useProposalDecide, useProposalList } from '../../../data/proposal.ts'
import type { ProposedChange } from '../../../editor/proposed-change.ts'
import { toast } from '../../../ui/toast/toast.ts'

/** The hunks that agents propose for a file; deciding one leaves the others. */
export function useProposedChanges(id: string, path: string, mayWrite: Right): readonly ProposedChange[] {
  const { data, refetch } = useProposalList(id)
  const { mutateAsync: decide } = useProposalDecide()
  const queries = useQueryClient()
  const may = mayWrite.may
  return useMemo(() => {
    const own = data?.pages.flatMap(({ items }) => items.filter((one) => one.path === path)) ?? []
    return own.flatMap(({ id: proposalId, author, message, diff }) =>
      splitHunks(diff).map((hunk) => {
        async function settle(decision: 'accept' | 'reject') {
          try {
            // what is typed since it was drawn made another diff, in which the same hunk may stand elsewhere
            const now = await queries.fetchQuery({ ...proposalQuery(id, proposalId), staleTime: 0 })
            const index = splitHunks(now.diff).findIndex((one) => changeOf(one) === changeOf(hunk))
            if (index < 0) throw new Error('The file changed there since it was proposed.')
            const body = { decision, hunks: [index], digest: now.digest, rest: 'keep' as const }
            await decide({ params: { id, proposalId }, body })
          } catch (error) {
            toast({ title: 'The change was not decided', description: (error as Error).message, tone: 'error' })
            await refetch()
          }
        }
        return {
          title: message ? `${author.name}: ${message}` : author.name,
          blocks: changedBlocks(parseDiff(hunk)),
          decide: may ? (decision: 'accept' | 'reject') => void settle(decision) : undefined,
        }
      }),
    )
  }, [data, path, may, id, queries, decide, refetch])
}

/** What goes and what comes, wherever it stands. */
const changeOf = (hunk: string) =>
  JSON.stringify(
    parseDiff(hunk).flatMap(({ kind, ...row }) => ('text' in row && kind !== 'context' ? [[kind, row.text]] : [])),
  )
