/** Something that a file defines. */
export interface FileSymbol {
  name: string
  kind: 'function' | 'class' | 'type' | 'constant' | 'heading' | 'cell'
  line: number
  /** How deep it lies in others. */
  depth: number
}

interface Rule {
  find: RegExp
  kind: FileSymbol['kind']
}

const script: Rule[] = [
  { find: /^(\s*)(?:export\s+)?(?:default\s+)?(?:abstract\s+)?class\s+([\w$]+)/, kind: 'class' },
  { find: /^(\s*)(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)/, kind: 'function' },
  { find: /^(\s*)(?:export\s+)?(?:declare\s+)?(?:interface|type|enum)\s+([\w$]+)/, kind: 'type' },
  {
    find: /^()(?:export\s+)?const\s+([\w$]+)\s*=\s*(?:async\s*)?(?:\([^)]*\)|[\w$]+)\s*(?::[^=]+)?=>/,
    kind: 'function',
  },
  { find: /^()(?:export\s+)(?:const|let)\s+([\w$]+)/, kind: 'constant' },
  {
    find: /^(\s+)(?:(?:public|private|protected|static|async|override|get|set)\s+)*(?!if|for|while|switch|catch|return|function)([\w$#]+)\s*\([^()]*\)\s*(?::[^={]+)?\{\s*$/,
    kind: 'function',
  },
]
const python: Rule[] = [
  { find: /^(\s*)class\s+(\w+)/, kind: 'class' },
  { find: /^(\s*)(?:async\s+)?def\s+(\w+)/, kind: 'function' },
  { find: /^()([A-Z][A-Z0-9_]+)\s*(?::[^=]+)?=[^=]/, kind: 'constant' },
]
const shell: Rule[] = [{ find: /^(\s*)(?:function\s+)?([\w-]+)\s*\(\)\s*\{?/, kind: 'function' }]
const cell: Rule = { find: /^()(?:#|\/\/|--)\s*%%\s*(.*)$/, kind: 'cell' }

const rules: Record<string, Rule[]> = { py: python, sh: shell, bash: shell }
for (const ending of ['ts', 'tsx', 'mts', 'cts', 'js', 'jsx', 'mjs', 'cjs']) rules[ending] = script
const longest = 300_000
const longestLine = 300

/** Whether the language of a file is known here, by its name. */
export function hasOutline(path: string): boolean {
  return /\.(?:md|markdown)$/i.test(path) || (path.split('.').at(-1)?.toLowerCase() ?? '') in rules
}

/** What a file defines, in the order of its lines; nothing for files whose language is not known here. */
export function outlineOf(path: string, text: string): FileSymbol[] {
  const ending = path.split('.').at(-1)?.toLowerCase() ?? ''
  if (text.length > longest) return []
  const lines = text.split('\n')
  if (ending === 'md' || ending === 'markdown') return headings(lines)
  const own = rules[ending]
  if (!own) return []
  const found: (FileSymbol & { indent: number })[] = []
  for (const [index, line] of lines.entries()) {
    // a line longer than anyone writes is data
    if (line.length > longestLine) continue
    for (const { find, kind } of [cell, ...own]) {
      const [, space = '', name = ''] = find.exec(line) ?? []
      if (!find.test(line)) continue
      const indent = space.replaceAll('\t', '    ').length
      const above = found.findLast((one) => one.indent < indent)
      const depth = indent === 0 || !above ? 0 : above.depth + 1
      // what lies in a function is its own affair, but for functions and classes
      found.push({ name: name.trim() || `Line ${index + 1}`, kind, line: index + 1, depth, indent })
      break
    }
  }
  return found.map(({ indent: _, ...symbol }) => symbol)
}

function headings(lines: readonly string[]): FileSymbol[] {
  let isCode = false
  return lines.flatMap((line, index) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode
    const [, marks, name] = (!isCode && line.length <= longestLine && /^(#{1,6})\s+(.+)$/.exec(line)) || []
    if (!marks || !name) return []
    return [{ name: name.replace(/\s#+\s*$/, ''), kind: 'heading' as const, line: index + 1, depth: marks.length - 1 }]
  })
}

/** The symbols around a line, the outermost first. */
export function symbolsAt(symbols: readonly FileSymbol[], line: number): FileSymbol[] {
  const around: FileSymbol[] = []
  for (const symbol of symbols) {
    if (symbol.line > line) break
    while (around.length > 0 && (around.at(-1)?.depth ?? 0) >= symbol.depth) around.pop()
    around.push(symbol)
  }
  return around
}
