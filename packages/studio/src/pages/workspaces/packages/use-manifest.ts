import {
  addToManifest,
  chooseManifest,
  manifestFiles,
  readManifest,
  removeFromManifest,
  sameName,
  splitRequirement,
  type ManifestName,
  type PackageLanguage,
  type WorkspaceFile,
} from '@coherex/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { fileTextQuery, readFileText, useFilesChange } from '../../../data/file.ts'
import { resolvePackages } from '../../../data/package.ts'

/** The packages that a workspace names in `package.json`, `requirements.txt` or `pyproject.toml`, and how they are changed. */
export function useManifest(id: string, language: PackageLanguage, files: readonly WorkspaceFile[]) {
  const { manifests, lock: lockName } = manifestFiles[language]
  const first = useFileText(id, manifests[0], files)
  const other = useFileText(id, manifests[1] ?? '', files)
  const textOf = (path: string) => (path === manifests[0] ? first : other).data?.text
  const name = first.isThere ? manifests[0] : chooseManifest(language, textOf)
  const manifest = name === manifests[0] ? first : other
  const lock = useFileText(id, lockName, files)
  const write = useFilesChange()
  const queryClient = useQueryClient()
  const read = attemptRead(name, manifest.data?.text)
  const nameOf = (requirement: string) => sameName(language, splitRequirement(language, requirement).name)

  const change = useMutation({
    async mutationFn(next: readonly string[]) {
      const before = manifest.data?.text
      const kept = new Set(next.map(nameOf))
      const gone = read.requirements.filter((one) => !kept.has(nameOf(one)))
      const added = next.filter((one) => !read.requirements.includes(one))
      const rest = gone.reduce((text, one) => removeFromManifest(name, text, nameOf(one)), before ?? '')
      const lockText = lock.data?.text
      const resolved = await resolve([...next], lockText)
      const text = added.reduce<string | undefined>(
        (all, requirement) => addToManifest(name, all, { requirement, resolved: resolved?.lock.packages ?? [] }),
        before === undefined ? undefined : rest,
      )
      // once more by what the manifest now says: the two files must agree
      const { file } = (await resolve(readManifest(name, text), resolved?.file.text)) ?? {}
      await write.mutateAsync({
        params: { id },
        body: {
          message: describe(added, gone),
          write: [
            { path: name, text: text ?? '', ...readAt(manifest.data) },
            ...(file ? [{ path: lockName, text: file.text }] : []),
          ],
          ...(!file && lock.isThere ? { remove: [{ path: lockName }] } : {}),
        },
      })
      for (const path of file ? [name, lockName] : [name]) {
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
    manifest: name,
    lock: lockName,
    ...read,
    isThere: manifest.isThere,
    isLoading: !change.isPending && (first.isLoading || other.isLoading || lock.isLoading),
    loadError: first.error ?? other.error ?? lock.error,
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
  name: ManifestName,
  text: string | undefined,
): { requirements: string[]; problem: string | undefined } {
  try {
    return { requirements: readManifest(name, text), problem: undefined }
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
  return (parts.join(', ') || 'Lock packages').slice(0, 200)
}
