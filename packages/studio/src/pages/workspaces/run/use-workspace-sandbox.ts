import type { Workspace } from '@coherex/contract'
import { useSandboxCreate } from '../../../data/sandbox.ts'
import type { LiveWorkspace } from '../../../live/live-workspace.ts'

interface WorkspaceSandboxOptions {
  workspace: Workspace
  live: LiveWorkspace | undefined
  onSandbox: (id: string) => void
}

/** Makes the sandbox of a workspace: a copy of its files with the packages that they name, for the terminal and for cells. */
export function useWorkspaceSandbox({ workspace, live, onSandbox }: WorkspaceSandboxOptions) {
  const create = useSandboxCreate()
  return {
    isPending: create.isPending,
    /** Which of its packages are being fetched. */
    progress: create.progress,
    async make(): Promise<string> {
      const { packagesNamed } = await import('./packages-named.ts')
      const packages = packagesNamed((path) => live?.textAt(path)?.text.toString())
      const { id } = await create.mutateAsync({
        body: {
          ...{ name: `Sandbox of ${workspace.name}`.slice(0, 80), workspaceId: workspace.id },
          ...(packages.length > 0 ? { packages } : {}),
        },
      })
      onSandbox(id)
      return id
    },
  }
}
