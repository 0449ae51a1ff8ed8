import { callWithProgress, type PackageLanguage, type PackageLock } from '@coherex/contract'
import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { routes } from 'virtual:contract-routes'
import { call, open } from './query/call.ts'
import { useCall } from './query/use-call.ts'
import { usePages } from './query/use-pages.ts'

/** What a registry says of a package; asked for while its name is typed. */
export const packageInfoQuery = (language: PackageLanguage, name: string) =>
  queryOptions({
    // not under a noun: nothing that happens here changes it
    queryKey: ['package-info', language, name],
    queryFn: ({ signal }) => call(routes.packages.info, { query: { language, name } }, { signal }),
    staleTime: 300_000,
    retry: false,
  })

/** A lock file beside the requirements: its versions are taken where they fit. */
export interface LockFile {
  text: string
  hash: string
}

/** What requirements resolve to by the rules of the team. */
export const packageLockQuery = (language: PackageLanguage, requirements: readonly string[], lockFile?: LockFile) =>
  queryOptions({
    queryKey: ['package', 'lock', language, lockFile?.hash ?? '', ...requirements],
    queryFn: ({ signal }) =>
      resolvePackages(
        { language, requirements: [...requirements], ...(lockFile && { lockFile: lockFile.text }) },
        signal,
      ),
    enabled: requirements.length > 0,
    staleTime: 300_000,
    retry: false,
    placeholderData: keepPreviousData,
  })

/** Resolves requirements, keeping the versions of a lock file where they fit. */
export const resolvePackages = (
  body: { language: PackageLanguage; requirements: string[]; lockFile?: string },
  signal?: AbortSignal,
) => call(routes.packages.resolve, { body }, signal ? { signal } : {})

/** Waits until a lock is fetched: `progress` says how far it is, and nothing where it is there already. */
export function usePackageFetch(
  lock: PackageLock | undefined,
  requirements: readonly string[],
  lockFile: LockFile | undefined,
) {
  const [line, setLine] = useState<string>()
  const fetched = useQuery({
    // not under a noun: what is there stays there
    queryKey: ['package-fetch', lock?.hash],
    queryFn({ signal }) {
      setLine(undefined)
      const language = lock?.language ?? 'python'
      const body = { language, requirements: [...requirements], fetch: 'wait' as const }
      return callWithProgress(
        open,
        routes.packages.resolve,
        { body: { ...body, ...(lockFile && { lockFile: lockFile.text }) } },
        { signal, onProgress: setLine },
      )
    },
    enabled: lock !== undefined,
    staleTime: 300_000,
    retry: false,
  })
  return { progress: fetched.isFetching ? line : undefined, error: fetched.error, refetch: fetched.refetch }
}

/** Declarations of types in the npm packages of a lock. */
export const packageTypesQuery = (hash: string | undefined) =>
  queryOptions({
    // not under a noun: a hash names the same packages for ever
    queryKey: ['package-types', hash],
    queryFn: ({ signal }) => call(routes.packages.types, { params: { hash: hash ?? '' } }, { signal }),
    enabled: hash !== undefined,
    staleTime: Infinity,
    retry: false,
  })

export const usePackagePolicy = () =>
  useQuery({
    queryKey: ['package', 'policy'],
    queryFn: ({ signal }) => call(routes.packages.policy, {}, { signal }),
  })

export const usePackagePolicySet = () => useCall(routes.packages.setPolicy, { changes: ['package'] })

/** The sets of packages that the team keeps. */
export const usePackageSets = () =>
  usePages({
    queryKey: ['package', 'sets'],
    fetchPage: (cursor, signal) => call(routes.packages.list, { query: cursor }, { signal }),
  })

export const usePackageSetDelete = () => useCall(routes.packages.remove, { changes: ['package', 'quota'] })

/** Deletes every set that nothing uses. */
export const usePackagePrune = () => useCall(routes.packages.prune, { changes: ['package', 'quota'] })
