import { isSeq, parseDocument, Scalar } from 'yaml'

/** The agent's name and the tools it names; undefined where the text cannot be read. */
export function readTools(source: string): { name: string; tools: string[] } | undefined {
  const document = parseDocument(source)
  if (document.errors.length > 0) return undefined
  const { name, tools }: { name?: unknown; tools?: unknown } = document.toJS() ?? {}
  return { name: String(name), tools: Array.isArray(tools) ? tools.map(String) : [] }
}

/** The definition with a tool more or less. Comments and the order of everything else stay. */
export function toggleTool(source: string, tool: string, isOn: boolean): string {
  const document = parseDocument(source)
  const tools = document.get('tools')
  const added = new Scalar(tool)
  // what is JSON stays JSON
  const isJson = source.trimStart().startsWith('{')
  if (isJson) added.type = Scalar.QUOTE_DOUBLE
  if (!isSeq(tools)) {
    const key = new Scalar('tools')
    if (isJson) key.type = Scalar.QUOTE_DOUBLE
    if (isOn) document.set(key, document.createNode([added], { flow: true }))
  } else {
    const index = tools.items.findIndex((item) => String(item) === tool)
    if (isOn && index < 0) tools.add(added)
    if (!isOn && index >= 0) tools.delete(index)
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}
