import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { FileChange } from '../../../../change/file-change.tsx'
import { turnChangesQuery } from '../../../../data/turn-undo.ts'
import { BesideButton } from '../../../../ui/beside/beside-button.tsx'
import { TextLink } from '../../../../ui/text/text-link.tsx'
import { changeBeside } from '../change-beside.tsx'
import { filesOfTurn } from './files-of-turn.ts'

interface TurnChangesProps {
  turnId: string
  /** Their lines are in sight. */
  startsOpen?: boolean
  otherwise: ReactNode
}

// beyond these a list of names is read first
const mostOpen = 5

/** Each file that an answer changed, with its lines to unfold; `otherwise` until they are here, or where they are gone. */
export function TurnChanges({ turnId, startsOpen = false, otherwise }: TurnChangesProps) {
  const { data } = useQuery(turnChangesQuery(turnId))
  const files = filesOfTurn(data?.items ?? [])
  const id = data?.workspaceId
  if (!id || files.length === 0) return otherwise
  return (
    <ul aria-label="Changed files" className="flex min-w-0 flex-1 flex-col gap-1">
      {files.map((file) => (
        <li key={file.path} className="min-w-0 text-text">
          <FileChange
            {...file}
            startsOpen={startsOpen && files.length <= mostOpen}
            isBounded
            actions={
              <>
                <BesideButton item={changeBeside(turnId, file)} name={file.path} />
                {file.change !== 'deleted' && (
                  <span className="px-1 text-small">
                    <TextLink to="/workspaces/$id" params={{ id }} search={{ file: file.path }}>
                      Open
                    </TextLink>
                  </span>
                )}
              </>
            }
          />
        </li>
      ))}
    </ul>
  )
}
