import type { SkillFiles } from '@coherex/contract'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'

/** What is wrong with the files of a skill, given as JSON, as the server sees it. `folder` is the name it must have. */
export const useSkillValidate = (json: string, folder: string | undefined) =>
  useQuery({
    queryKey: ['skill', 'validate', folder, json],
    queryFn: async ({ signal }) => {
      const files = JSON.parse(json) as SkillFiles
      const body = { files, ...(folder && { folder }) }
      return { json, ...(await call(routes.skills.validate, { body }, { signal })) }
    },
    placeholderData: keepPreviousData,
    gcTime: 10_000,
  })
