import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

/** What changed between two versions; from 0 it is all of the second. */
export const useSkillDiff = (name: string, versions: { from: number; to: number }) =>
  useQuery({
    queryKey: ['skill', 'diff', name, versions],
    queryFn: ({ signal }) => call(routes.skills.diff, { params: { name }, query: versions }, { signal }),
  })
