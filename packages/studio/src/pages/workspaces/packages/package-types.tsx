import type { WorkspaceFile } from '@coherex/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { packageLockQuery, packageTypesQuery } from '../../../data/package.ts'
import { useManifest } from './use-manifest.ts'

/** Shows nothing: editors know the types of the packages that a workspace names, as long as this is there. */
export function PackageTypes({ id, files }: { id: string; files: readonly WorkspaceFile[] }) {
  const { requirements, lockFile, isLoading } = useManifest(id, 'javascript', files)
  const lock = useQuery({
    ...packageLockQuery('javascript', requirements, lockFile),
    enabled: !isLoading && requirements.length > 0,
  })
  const hash = requirements.length > 0 ? lock.data?.lock.hash : undefined
  const { data: types } = useQuery(packageTypesQuery(hash))
  useEffect(() => {
    if (!types) return
    const shown = import('../../../editor/show-package-types.ts').then(({ showPackageTypes }) =>
      showPackageTypes(`workspaces/${id}`, types),
    )
    return () => void shown.then((hide) => hide())
  }, [id, types])
  return null
}
