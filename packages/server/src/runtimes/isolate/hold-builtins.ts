// The program may patch or replace every builtin. The guest library is compiled to use what was there before the program.

const namespaces = ['Object', 'JSON', 'Math', 'Reflect']
const classes =
  `Array ArrayBuffer BigInt Boolean DataView Date Error Float32Array Float64Array Function Int32Array Map Number Promise
  Proxy RangeError RegExp Set String Symbol SyntaxError TypeError Uint8Array WeakMap WeakSet AggregateError`.split(
    /\s+/,
  )
const names = [...namespaces, ...classes]

/** Functions of classes, bound where they ask for their class. */
const statics: Record<string, string> = {
  'Array.from': 'Array.from.bind(Array)',
  'Array.isArray': 'Array.isArray',
  'ArrayBuffer.isView': 'ArrayBuffer.isView',
  'Error.captureStackTrace': 'Error.captureStackTrace',
  'Number.isFinite': 'Number.isFinite',
  'Number.isInteger': 'Number.isInteger',
  'Number.isNaN': 'Number.isNaN',
  'Promise.race': 'Promise.race.bind(Promise)',
  'Promise.resolve': 'Promise.resolve.bind(Promise)',
  'String.fromCharCode': 'String.fromCharCode',
  'Symbol.for': 'Symbol.for',
}
const nameOf = (path: string) => path.replace('.', '_')

/** For esbuild: what the library says becomes what it holds. */
export const heldStatics = Object.fromEntries(Object.keys(statics).map((path) => [path, `coherexHeld.${nameOf(path)}`]))

/** Begins a part of the library: its builtins are given to a function around it. */
export const heldHead = `((classes, coherexHeld) => { 'use strict'; const { ${names.join(', ')} } = classes;`

/** Takes the builtins as they are; evaluated before any program. */
export const takeBuiltins = `(() => {
  const copy = (from, to) => {
    for (const key of Reflect.ownKeys(from)) if (!Object.hasOwn(to, key)) to[key] = from[key]
    return Object.freeze(to)
  }
  const object = function (value) { return Object(value) }
  object.prototype = Object.prototype
  return [
    { Object: copy(Object, object), ${namespaces
      .slice(1)
      .map((name) => `${name}: copy(${name}, {})`)
      .join(', ')}, ${classes.join(', ')} },
    Object.freeze({ ${Object.entries(statics)
      .map(([path, value]) => `${nameOf(path)}: ${value}`)
      .join(', ')} }),
  ]
})()`
