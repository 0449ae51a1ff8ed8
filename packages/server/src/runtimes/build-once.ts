import { relative } from 'node:path'
import { version, type BuildOptions } from 'esbuild'
import { buildScript } from './build-script.ts'
import { makeOnce, onlyFile, project, type MadeFiles } from './make-once.ts'

// what a build depends on and does not name among its sources: versions of packages, and how TypeScript is read
const alsoSources = ['package-lock.json', 'tsconfig.base.json', 'packages/server/tsconfig.json']

/** esbuild's build() of sources of ours, once for as long as they are the same. Nothing is written but what is kept. */
export function buildOnce(name: string, options: BuildOptions): Promise<MadeFiles> {
  const stamp = JSON.stringify([version, options]).replaceAll(project, '')
  return makeOnce({
    name,
    stamp,
    async make() {
      const outdir = `${project}/made`
      const { outputFiles, metafile } = await buildScript({
        ...options,
        absWorkingDir: project,
        outdir,
        write: false,
        metafile: true,
      })
      const files = outputFiles.map(({ path, contents }) => [relative(outdir, path), contents] as const)
      return { sources: [...Object.keys(metafile.inputs), ...alsoSources], files: Object.fromEntries(files) }
    },
  })
}

/** The same where one file comes of it. */
export async function buildFileOnce(name: string, options: BuildOptions): Promise<Buffer> {
  return Buffer.from(onlyFile(await buildOnce(name, options)))
}
