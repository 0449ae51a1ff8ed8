import { isMetBy } from '../../../packages/index.ts'
import type { DocumentName, Workspaces } from '../../../workspaces/index.ts'
import { declaredByManifest, declaredByProject, declaringFiles } from '../../execute/declared-packages.ts'
import type { PythonPackages } from '../../execute/needed-packages.ts'
import type { WantedPackages } from './sandbox-packages.ts'

export interface WorkspacePackagesDeps {
  workspaces: Pick<Workspaces, 'files'>
  python: PythonPackages
}

/** What the files at the top of a workspace say that code there needs: as runs read them, for a sandbox with its files. */
export async function packagesOfWorkspace(
  { workspaces, python: { packages: base = {}, offered = {} } }: WorkspacePackagesDeps,
  name: DocumentName,
): Promise<WantedPackages[]> {
  const texts = new Map<string, string>()
  const { items } = await workspaces.files.list(name)
  for (const { path } of items.filter((one) => declaringFiles.includes(one.path))) {
    const { body } = await workspaces.files.read(name, path)
    if (Buffer.isBuffer(body)) texts.set(path, body.toString('utf8'))
  }
  const readBeside = (file: string) => texts.get(file)
  const ofPython = declaredByProject(readBeside).filter((one) => !isMetBy(offered, one))
  const isThere = ofPython.every((one) => isMetBy(base, one))
  const wanted: WantedPackages[] = [
    { language: 'python', requirements: isThere ? [] : ofPython, lockFile: texts.get('pylock.toml') },
    {
      language: 'javascript',
      requirements: declaredByManifest(readBeside),
      lockFile: texts.get('package-lock.json'),
    },
  ]
  return wanted.filter(({ requirements }) => requirements.length > 0)
}
