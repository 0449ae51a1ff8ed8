import { isSeq, parseDocument } from 'yaml'

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
  if (!isSeq(tools)) {
    if (isOn) document.set('tools', document.createNode([tool], { flow: true }))
  } else {
    const index = tools.items.findIndex((item) => String(item) === tool)
    if (isOn && index < 0) tools.add(document.createNode(tool))
    if (!isOn && index >= 0) tools.delete(index)
  }
  return document.toString({ lineWidth: 0, flowCollectionPadding: false })
}
