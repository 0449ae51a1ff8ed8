import { useQuery } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { useCall } from '../use-call.ts'

/** Folders of a workspace that are skills, or would be. */
export const useWorkspaceSkills = (id: string | undefined) =>
  useQuery({
    // changes with the files of the workspace
    queryKey: ['file', id, 'skills'],
    queryFn: ({ signal }) => call(routes.skills.inWorkspace, { params: { id: id ?? '' } }, { signal }),
    enabled: id !== undefined,
  })

export const useWorkspaceSkillDiff = (id: string, name: string) =>
  useQuery({
    queryKey: ['file', id, 'skills', name],
    queryFn: ({ signal }) => call(routes.skills.diffInWorkspace, { params: { id, name } }, { signal }),
  })

export const useWorkspaceSkillDecide = () =>
  useCall(routes.skills.decideInWorkspace, { changes: ['file', 'skill', 'agent'] })
