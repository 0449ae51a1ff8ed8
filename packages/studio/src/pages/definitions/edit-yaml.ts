import { isMap, isScalar, parseDocument, Scalar, type Document } from 'yaml'

/** YAML with another value of a field; undefined takes the field away. Comments and the order of all else stay. */
export function setField(source: string, path: readonly string[], value: string | number | undefined): string {
  const document = parseDocument(source)
  const node = document.getIn(path, true)
  if (value === undefined) removeField(document, path)
  else if (isScalar(node)) {
    const isBlock = node.type === Scalar.BLOCK_LITERAL || node.type === Scalar.BLOCK_FOLDED
    node.value = isBlock ? `${value}\n` : value
    if (!isBlock) asBlock(node)
  } else {
    const made = new Scalar(value)
    asBlock(made)
    document.setIn(path, made)
  }
  return writeYaml(document, source)
}

function removeField(document: Document, path: readonly string[]): void {
  document.deleteIn(path)
  const parent = path.slice(0, -1)
  const left = parent.length > 0 ? document.getIn(parent) : undefined
  if (isMap(left) && left.items.length === 0) document.deleteIn(parent)
}

/** Several lines are written as lines. */
function asBlock(node: Scalar): void {
  if (typeof node.value !== 'string' || !node.value.includes('\n')) return
  node.type = Scalar.BLOCK_LITERAL
  node.value = `${node.value}\n`
}

/** The text of a document that was read from `source`, written as that is. */
export function writeYaml(document: Document, source: string): string {
  // what is JSON stays JSON, which has no comments to keep
  if (source.trimStart().startsWith('{')) return `${JSON.stringify(document.toJS(), null, 2)}\n`
  return document.toString({ lineWidth: 0, flowCollectionPadding: !/\{\S/.test(source) })
}

/** A value as a form shows it. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
