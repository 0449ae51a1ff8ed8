const workspacePanels = [
  'output',
  'session',
  'terminal',
  'files',
  'search',
  'outline',
  'problems',
  'log',
  'history',
  'proposals',
  'chat',
  'config',
  'preview',
  'packages',
  'variables',
] as const
export type WorkspacePanel = (typeof workspacePanels)[number]

/** What is open on the page of a workspace, as it is in the address. */
export interface WorkspacePlace {
  file?: string
  line?: number
  /** A panel that a link opens. */
  panel?: WorkspacePanel
  /** Two versions to compare, instead of a file. */
  from?: number
  to?: number
  /** A version whose files are shown, instead of a file. */
  at?: number
}

export function parseWorkspacePlace(search: Record<string, unknown>): WorkspacePlace {
  const { file, line, panel, from, to, at } = search
  const place: WorkspacePlace = {}
  // a file may be called 2024: the address makes that a number
  if (file !== undefined && String(file) !== '') place.file = String(file)
  if (isCount(line) && place.file) place.line = line
  const known = workspacePanels.find((one) => one === panel)
  if (known) place.panel = known
  if (isCount(from) && isCount(to)) Object.assign(place, { from, to })
  else if (isCount(at) && at > 0) place.at = at
  return place
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}
