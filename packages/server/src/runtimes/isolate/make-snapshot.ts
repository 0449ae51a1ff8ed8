import type { Launcher, LaunchSpec } from '../launch/index.ts'

/** Has the guest library made into a V8 snapshot, in a sandbox like the children's own. */
export async function makeSnapshot(launcher: Launcher, binds: LaunchSpec['binds']): Promise<Buffer> {
  const launched = await launcher.launch({
    argv: ['/app/node', '--no-node-snapshot', '/app/make-snapshot.cjs', '/app/core.js'],
    binds,
    env: {},
    home: '/home/guest',
    readOnly: true,
    limits: { memoryMb: 512, processes: 64, openFiles: 128, diskMb: 1, inodes: 16 },
    seccomp: 'isolate',
  })
  let lastWords = ''
  launched.stdout.resume()
  launched.stderr.on('data', (chunk: Buffer) => (lastWords = (lastWords + chunk.toString('utf8')).slice(-500)))
  const chunks: Buffer[] = []
  for await (const chunk of launched.channel.read) chunks.push(chunk as Buffer)
  const { code } = await launched.ended
  if (code !== 0) throw new Error(`The guest library could not be made into a snapshot: ${lastWords}`)
  return Buffer.concat(chunks)
}
