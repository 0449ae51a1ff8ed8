import {
  addToManifest,
  manifestFiles,
  readManifest,
  removeFromManifest,
  sameName,
  splitRequirement,
  type PackageLanguage,
  type WorkspaceFile,
} from '@coherex/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { fileTextQuery, readFileText, useFilesChange } from '../../../data/file.ts'
import { resolvePackages } from '../../../data/package.ts'

/** The packages that a workspace names in `package.json` or `requirements.txt`, and how they are changed. */
export function useManifest(id: string, language: PackageLanguage, files: readonly WorkspaceFile[]) {
  const names = manifestFiles[language]
  const manifest = useFileText(id, names.manifest, files)
  const lock = useFileText(id, names.lock, files)
  const write = useFilesChange()
  const queryClient = useQueryClient()
  const read = attemptRead(language, manifest.data?.text)
  const nameOf = (requirement: string) => sameName(language, splitRequirement(language, requirement).name)

  const change = useMutation({
    async mutationFn(next: readonly string[]) {
      const before = manifest.data?.text
      const kept = new Set(next.map(nameOf))
      const gone = read.requirements.filter((one) => !kept.has(nameOf(one)))
      const added = next.filter((one) => !read.requirements.includes(one))
      const rest = gone.reduce((text, one) => removeFromManifest(language, text, nameOf(one)), before ?? '')
      const lockText = lock.data?.text
      const first = await resolve([...next], lockText)
      const text = added.reduce<string | undefined>(
        (all, requirement) => addToManifest(language, all, { requirement, resolved: first?.lock.packages ?? [] }),
        before === undefined ? undefined : rest,
      )
      // once more by what the manifest now says: the two files must agree
      const { file } = (await resolve(readManifest(language, text), first?.file.text)) ?? {}
      await write.mutateAsync({
        params: { id },
        body: {
          message: describe(added, gone),
          write: [
            { path: names.manifest, text: text ?? '', ...readAt(manifest.data) },
            ...(file ? [{ path: names.lock, text: file.text }] : []),
          ],
          ...(!file && lock.isThere ? { remove: [{ path: names.lock }] } : {}),
        },
      })
      for (const path of file ? [names.manifest, names.lock] : [names.manifest]) {
        const written = await readFileText(id, path)
        queryClient.setQueryData(fileTextQuery(id, { path, hash: written.hash }).queryKey, written)
      }
    },
  })
  const resolve = async (requirements: string[], lockFile: string | undefined) =>
    requirements.length === 0
      ? undefined
      : resolvePackages({ language, requirements, ...(lockFile === undefined ? {} : { lockFile }) })

  return {
    ...names,
    ...read,
    isThere: manifest.isThere,
    isLoading: !change.isPending && (manifest.isLoading || lock.isLoading),
    loadError: manifest.error ?? lock.error,
    lockFile: lock.data,
    /** What it holds once the change under way is written. */
    shown: change.isPending ? change.variables : read.requirements,
    change,
  }
}

function useFileText(id: string, path: string, files: readonly WorkspaceFile[]) {
  const file = files.find((one) => one.path === path)
  const query = useQuery({ ...fileTextQuery(id, file ?? { path, hash: '' }), enabled: file?.kind === 'text' })
  return { isThere: file !== undefined, data: file && query.data, isLoading: query.isLoading, error: query.error }
}

function attemptRead(
  language: PackageLanguage,
  text: string | undefined,
): { requirements: string[]; problem: string | undefined } {
  try {
    return { requirements: readManifest(language, text), problem: undefined }
  } catch (error) {
    return { requirements: [], problem: (error as Error).message }
  }
}

const readAt = (read: { version: number } | undefined) =>
  read ? { readVersion: read.version } : { expectedVersion: 0 }

function describe(added: readonly string[], gone: readonly string[]): string {
  const parts = [
    ...(added.length > 0 ? [`Add ${added.join(', ')}`] : []),
    ...(gone.length > 0 ? [`${added.length > 0 ? 'remove' : 'Remove'} ${gone.join(', ')}`] : []),
  ]
  return parts.join(', ').slice(0, 200)
}
