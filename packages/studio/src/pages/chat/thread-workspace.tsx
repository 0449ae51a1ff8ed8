import { useQuery } from '@tanstack/react-query'
import { workspaceQuery } from '../../data/workspace.ts'
import { TextLink } from '../../ui/text/text-link.tsx'

/** Where the agent of a conversation works. One that is gone is not told. */
export function ThreadWorkspace({ id }: { id: string }) {
  const { data } = useQuery(workspaceQuery(id))
  if (!data) return null
  return (
    <>
      {' in '}
      <TextLink to="/workspaces/$id" params={{ id }}>
        {data.name}
      </TextLink>
    </>
  )
}
