import { builtinModules } from 'node:module'
import { dirname, relative, resolve, sep } from 'node:path'

/**
 * Lint rules of this house, as an oxlint plugin. The stock `no-restricted-imports` sees only the text of a specifier and
 * is replaced, not extended, by each override; these rules resolve the path, so `./runs/x.ts` inside another room is no
 * false alarm and each rule can be switched on its own.
 */

interface Node {
  type: string
  parent?: Node
  [key: string]: unknown
}

interface Context {
  filename: string
  cwd: string
  options: unknown[]
  report(problem: { node: Node; message: string }): void
}

interface Rule {
  meta: { schema: false }
  create(context: Context): Record<string, (node: Node) => void>
}

interface Specifier {
  node: Node
  text: string
  /** Names taken from the module; undefined when the whole module is taken. */
  names: string[] | undefined
  typeOnly: boolean
}

const literal = (node: unknown): string | undefined => {
  const value = (node as Node | null | undefined)?.['value']
  return typeof value === 'string' ? value : undefined
}

const nameOf = (node: unknown): string | undefined =>
  ((node as Node | undefined)?.['name'] as string | undefined) ?? literal(node)

/** Calls `see` for everything that makes one module reach another: import, export from, import(), require(). */
function onImports(see: (specifier: Specifier) => void): Record<string, (node: Node) => void> {
  const whole = (node: Node, source: unknown) => {
    const text = literal(source)
    if (text !== undefined) see({ node, text, names: undefined, typeOnly: false })
  }
  const named = (node: Node, importName: string, kind: string) => {
    const text = literal(node['source'])
    if (text === undefined) return
    const specifiers = (node['specifiers'] as Node[]).filter((one) => one[kind] !== 'type')
    const names = specifiers.map((one) =>
      one.type === 'ImportSpecifier' || one.type === 'ExportSpecifier' ? nameOf(one[importName]) : undefined,
    )
    see({
      node,
      text,
      names: names.includes(undefined) ? undefined : (names as string[]),
      typeOnly: node[kind] === 'type' || (specifiers.length === 0 && (node['specifiers'] as Node[]).length > 0),
    })
  }
  return {
    ImportDeclaration: (node) => named(node, 'imported', 'importKind'),
    ExportNamedDeclaration: (node) => named(node, 'local', 'exportKind'),
    ExportAllDeclaration: (node) => whole(node, node['source']),
    ImportExpression: (node) => whole(node, node['source']),
    TSImportType: (node) => {
      const text = literal(node['source'] ?? node['argument'])
      if (text !== undefined) see({ node, text, names: [], typeOnly: true })
    },
    CallExpression: (node) => {
      const callee = node['callee'] as Node
      const first = (node['arguments'] as Node[])[0]
      const called = nameOf(callee) ?? nameOf(callee['property'])
      if (called === 'require' || called === 'getBuiltinModule') whole(node, first)
    },
  }
}

interface RoomsOptions {
  /** Folder whose children are rooms. */
  root: string
  /** From the ground up. */
  order: string[]
  /** Files that may look inside lower rooms: the tests. */
  deep?: boolean
  /** Sub-rooms of a room, from the ground up. Files beside them are free: they are the room's words, or tie it together. */
  within?: Record<string, string[]>
}

/** A room uses the rooms before it in the order, through their `index.ts`. Files beside the rooms are above them all. */
const rooms: Rule = {
  meta: { schema: false },
  create(context) {
    const { root, order, deep, within = {} } = context.options[0] as RoomsOptions
    const rootPath = resolve(context.cwd, root)
    const own = relative(rootPath, context.filename).split(sep)
    if (own[0] === '..') return {}
    const room = own.length > 1 ? own[0]! : undefined
    if (room !== undefined && !order.includes(room)) return {}

    return onImports(({ node, text }) => {
      if (!text.startsWith('.')) return
      const target = relative(rootPath, resolve(dirname(context.filename), text)).split(sep)
      if (target[0] === '..') return
      const [to, ...inside] = target as [string, ...string[]]
      if (to === room) {
        const inner = within[room]
        const [from, into] = [own.length > 2 ? own[1]! : '', inside.length > 1 ? inside[0]! : '']
        if (!inner || from === '' || into === '' || from === into) return
        const unknown = [from, into].find((one) => !inner.includes(one))
        if (unknown) context.report({ node, message: `Sub-room "${unknown}" of "${room}" has no place in the order` })
        else if (inner.indexOf(into) > inner.indexOf(from)) {
          context.report({ node, message: `Sub-room "${from}" of "${room}" is below "${into}" and may not import it` })
        }
        return
      }
      if (inside.length === 0) {
        if (room !== undefined)
          context.report({ node, message: `Room "${room}" is below "${to}": take what it needs as an argument` })
        return
      }
      if (room !== undefined && order.indexOf(to) > order.indexOf(room)) {
        context.report({ node, message: `Room "${room}" is below room "${to}" and may not import it` })
      } else if (!deep && inside.join('/') !== 'index.ts') {
        context.report({ node, message: `Enter room "${to}" through its index.ts, not "${inside.join('/')}"` })
      }
    })
  },
}

/** A package reaches another by its name, never by a path out of its own folder. */
const packages: Rule = {
  meta: { schema: false },
  create(context) {
    const root = resolve(context.cwd, 'packages')
    const own = relative(root, context.filename).split(sep)[0]
    if (own === '..') return {} // benches and scripts look where they like
    return onImports(({ node, text }) => {
      if (!text.startsWith('.')) return
      const target = relative(root, resolve(dirname(context.filename), text)).split(sep)[0]
      if (target !== own && target !== '..') {
        context.report({ node, message: `Import package "${target}" by its name, not by a path` })
      }
    })
  },
}

interface ModulesOptions {
  /** Module → names that are harmless; everything else of it, and the module as a whole, is refused. */
  modules: Record<string, string[]>
  /** Said after the module's name. */
  why: string
}

const refusedModules: Rule = {
  meta: { schema: false },
  create(context) {
    const { modules, why } = context.options[0] as ModulesOptions
    return onImports(({ node, text, names, typeOnly }) => {
      const module = builtinModules.includes(text) ? `node:${text}` : text
      const harmless = modules[module]
      if (!harmless || typeOnly) return
      const refused = names?.filter((name) => !harmless.includes(name))
      if (refused && refused.length === 0 && names!.length > 0) return
      context.report({ node, message: `${[module, ...(refused ?? [])].join(' ')}: ${why}` })
    })
  },
}

/** `process.env` in each of its spellings. */
const environment: Rule = {
  meta: { schema: false },
  create(context) {
    const report = (node: Node) =>
      context.report({ node, message: 'Only config.ts reads the environment: take the value as an argument' })
    const isProcess = (node: unknown): boolean => {
      const { type, name, object, property } = (node ?? {}) as Node
      if (type === 'Identifier') return name === 'process'
      return type === 'MemberExpression' && nameOf(object) === 'globalThis' && nameOf(property) === 'process'
    }
    return {
      ...onImports(({ node, text, names, typeOnly }) => {
        if (typeOnly || (text !== 'node:process' && text !== 'process')) return
        if (names === undefined || names.includes('env')) report(node)
      }),
      MemberExpression: (node) => {
        if (isProcess(node['object']) && nameOf(node['property']) === 'env') report(node)
      },
      VariableDeclarator: (node) => {
        const pattern = node['id'] as Node
        if (!isProcess(node['init']) || pattern.type !== 'ObjectPattern') return
        if ((pattern['properties'] as Node[]).some((one) => nameOf(one['key']) === 'env')) report(node)
      },
    }
  },
}

const noEnum: Rule = {
  meta: { schema: false },
  create: (context) => ({
    TSEnumDeclaration: (node) => context.report({ node, message: 'No enums: use a union of strings' }),
  }),
}

const noExportAll: Rule = {
  meta: { schema: false },
  create: (context) => ({
    ExportAllDeclaration: (node) => context.report({ node, message: 'No export *: a door names what it offers' }),
  }),
}

/**
 * A string that a request may hold is `text()`, which refuses what PostgreSQL cannot keep, or `anyText()`. By its shape a
 * string is one of a request when it has a bound or stands in a strict object; answers have neither.
 */
const requestText: Rule = {
  meta: { schema: false },
  create(context) {
    const isCall = (node: unknown, names: string[]): boolean => {
      const { type, callee } = (node ?? {}) as Node
      const called = callee as Node | undefined
      return type === 'CallExpression' && names.includes(nameOf(called) ?? nameOf(called?.['property']) ?? '')
    }
    return {
      CallExpression: (node) => {
        if (!isCall(node, ['string']) || nameOf((node['callee'] as Node)['object']) !== 'z') return
        const { parent } = node
        const next = parent?.type === 'MemberExpression' ? nameOf(parent['property']) : undefined
        const hasBound = next !== undefined && !['optional', 'nullable', 'nullish', 'describe'].includes(next)
        let around = parent
        while (around && !isCall(around, ['strictObject', 'namedRecord', 'object', 'looseObject']))
          around = around.parent
        if (hasBound || isCall(around, ['strictObject', 'namedRecord'])) {
          context.report({
            node,
            message: 'A request keeps no plain z.string(): use text(), or anyText() for any bytes',
          })
        }
      },
    }
  },
}

/** A door translates. What stores something and tells of it is a verb of a room, so that no other door forgets a part. */
const roomVerbs: Rule = {
  meta: { schema: false },
  create(context) {
    const refused = { types: ['Database', 'EventBus', 'Blobs'], members: ['database', 'blobs', 'publish'] }
    const check = (node: Node, names: string[], name: string | undefined) => {
      if (name === undefined || !names.includes(name)) return
      context.report({ node, message: `api holds no "${name}": call a verb of the room, which stores and publishes` })
    }
    return {
      ImportSpecifier: (node) => check(node, refused.types, nameOf(node['imported'])),
      TSImportType: (node) => check(node, refused.types, nameOf(node['qualifier'])),
      MemberExpression: (node) => check(node, refused.members, nameOf(node['property'])),
      ObjectPattern: (node) => {
        for (const one of node['properties'] as Node[]) check(one, refused.members, nameOf(one['key']))
      },
    }
  },
}

// oxlint-disable-next-line import/no-default-export -- the shape of a plugin
export default {
  meta: { name: 'house' },
  rules: {
    rooms,
    packages,
    'refused-modules': refusedModules,
    'outbound-modules': refusedModules,
    'launch-modules': refusedModules,
    environment,
    'no-enum': noEnum,
    'request-text': requestText,
    'no-export-all': noExportAll,
    'room-verbs': roomVerbs,
  },
}
