import {
  copyFileSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** Ids of the one user inside every sandbox, whoever it is outside. */
export const guestUser = { uid: 1000, gid: 1000, name: 'guest' }

// public data that programs look for: alternatives (BLAS for numpy), R's settings, fonts, plot settings, time zone, certificates
const copied = ['alternatives', 'R', 'fonts', 'matplotlibrc', 'ld.so.cache', 'localtime', 'ssl/certs', 'mime.types']

// Debian's Python runs its /etc/python3.x/sitecustomize.py as it starts; where a sandbox has none of ours, there is none
const startOfPython = '/opt/coherex/site/sitecustomize.py'

/** Fills a directory that becomes /etc inside: written by us or copied by name, never the host's own. */
export function prepareEtc(directory: string, home: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o755 })
  const { uid, gid, name } = guestUser
  writeFileSync(join(directory, 'passwd'), `${name}:x:${uid}:${gid}:${name}:${home}:/bin/bash\n`)
  writeFileSync(join(directory, 'group'), `${name}:x:${gid}:\n`)
  writeFileSync(join(directory, 'hosts'), '127.0.0.1 localhost\n::1 localhost\n')
  writeFileSync(join(directory, 'nsswitch.conf'), 'passwd: files\ngroup: files\nhosts: files dns\n')
  for (const entry of copied) copyPublic(join('/etc', entry), join(directory, entry))
  for (const python of readdirSync('/etc').filter((entry) => /^python3\.\d+$/.test(entry))) {
    mkdirSync(join(directory, python))
    symlinkSync(startOfPython, join(directory, python, 'sitecustomize.py'))
  }
}

function copyPublic(from: string, to: string): void {
  if (!existsSync(from)) return
  mkdirSync(dirname(to), { recursive: true })
  if (lstatSync(from).isDirectory()) {
    cpSync(from, to, { recursive: true, verbatimSymlinks: true, filter: copyOne })
  } else if (isPublic(from)) {
    copyFileSync(realpathSync(from), to)
  }
}

// what only root may read on the host stays there
function isPublic(path: string): boolean {
  const stats = lstatSync(path)
  return (stats.isFile() || stats.isDirectory()) && (stats.mode & 0o004) !== 0
}

/** Whether the copy of a directory has this entry as it is. */
function copyOne(from: string, to: string): boolean {
  if (!lstatSync(from).isSymbolicLink()) return isPublic(from)
  // a link takes some file systems a millisecond, and there are hundreds that nobody inside follows: pages of the manual,
  // and a second name for each certificate, which programs find by its hash
  if (isHashOfCertificate(from) && existsSync(from)) symlinkSync(realpathSync(from), to)
  return !/\/man\d/.test(readlinkSync(from)) && basename(dirname(from)) !== 'certs'
}

const isHashOfCertificate = (path: string) => /\/certs\/[0-9a-f]{8}\.\d+$/.test(path)

/** How the host's top directories look: links into /usr on a merged system, directories of their own elsewhere. */
export function systemDirectories(): { path: string; link?: string }[] {
  return readdirSync('/')
    .filter((name) => /^(bin|sbin|lib|lib32|lib64|libx32)$/.test(name))
    .map((name) => {
      const path = `/${name}`
      return lstatSync(path).isSymbolicLink() ? { path, link: readlinkSync(path) } : { path }
    })
}
