// node:path as it is on POSIX; a guest's paths are never Windows paths.
export const sep = '/'
export const delimiter = ':'

export function normalize(path: string): string {
  const absolute = path.startsWith('/')
  const parts = resolveDots(path.split('/'), absolute).join('/')
  if (parts === '') return absolute ? '/' : path.endsWith('/') && path !== '' ? './' : '.'
  return (absolute ? '/' : '') + parts + (path.endsWith('/') ? '/' : '')
}

export function join(...paths: string[]): string {
  const joined = paths.filter((path) => check(path) !== '').join('/')
  return joined === '' ? '.' : normalize(joined)
}

export function resolve(...paths: string[]): string {
  let resolved = ''
  for (let at = paths.length - 1; at >= 0 && !resolved.startsWith('/'); at--) {
    const path = check(paths[at]!)
    if (path !== '') resolved = resolved === '' ? path : `${path}/${resolved}`
  }
  const text = resolveDots(`/${resolved}`.split('/'), true).join('/')
  return `/${text}`
}

export function isAbsolute(path: string): boolean {
  return check(path).startsWith('/')
}

export function relative(from: string, to: string): string {
  const source = resolve(from).split('/').filter(Boolean)
  const target = resolve(to).split('/').filter(Boolean)
  let shared = 0
  while (shared < source.length && source[shared] === target[shared]) shared++
  return [...source.slice(shared).map(() => '..'), ...target.slice(shared)].join('/')
}

export function dirname(path: string): string {
  const trimmed = check(path).replace(/(?<=[^/])\/+$/, '')
  const at = trimmed.lastIndexOf('/')
  if (at < 0) return '.'
  return at === 0 ? '/' : trimmed.slice(0, at).replace(/(?<=[^/])\/+$/, '')
}

export function basename(path: string, suffix = ''): string {
  const name = check(path).replace(/\/+$/, '').split('/').at(-1) ?? ''
  return suffix !== '' && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
}

export function extname(path: string): string {
  const name = basename(path)
  const at = name.lastIndexOf('.')
  return at <= 0 || /^\.+$/.test(name.slice(0, at + 1)) ? '' : name.slice(at)
}

export interface ParsedPath {
  root: string
  dir: string
  base: string
  ext: string
  name: string
}

export function parse(path: string): ParsedPath {
  const base = basename(path)
  const ext = extname(base)
  const root = isAbsolute(path) ? '/' : ''
  const dir = path.includes('/') ? dirname(path) : ''
  return { root, dir: base === '' ? root : dir, base, ext, name: ext === '' ? base : base.slice(0, -ext.length) }
}

export function format(path: Partial<ParsedPath>): string {
  const dir = path.dir ?? path.root ?? ''
  const base = path.base ?? `${path.name ?? ''}${path.ext && !path.ext.startsWith('.') ? '.' : ''}${path.ext ?? ''}`
  if (dir === '') return base
  return dir === path.root ? dir + base : `${dir}/${base}`
}

export function toNamespacedPath(path: string): string {
  return path
}

export const posix = {
  sep,
  delimiter,
  normalize,
  join,
  resolve,
  isAbsolute,
  relative,
  dirname,
  basename,
  extname,
  parse,
  format,
  toNamespacedPath,
}

function resolveDots(parts: string[], absolute: boolean): string[] {
  const resolved: string[] = []
  for (const part of parts) {
    if (part === '' || part === '.') continue
    if (part !== '..') resolved.push(part)
    else if (resolved.length > 0 && resolved.at(-1) !== '..') resolved.pop()
    else if (!absolute) resolved.push('..')
  }
  return resolved
}

function check(path: string): string {
  if (typeof path !== 'string')
    throw new TypeError(`The "path" argument must be of type string. Received ${typeof path}`)
  return path
}
