import { languageOfFile } from '@coherex/contract'
import {
  Braces,
  File,
  FileCode2,
  FileImage,
  FileSpreadsheet,
  FileText,
  FileType,
  Package,
  SquareTerminal,
  type LucideIcon,
} from 'lucide-react'
import { createElement } from 'react'
import { imageTypeOf } from '../file/image-type.ts'

const icons: Record<string, LucideIcon> = {
  md: FileText,
  markdown: FileText,
  txt: FileText,
  pdf: FileType,
  csv: FileSpreadsheet,
  tsv: FileSpreadsheet,
  xlsx: FileSpreadsheet,
  parquet: FileSpreadsheet,
  json: Braces,
  yaml: Braces,
  yml: Braces,
  toml: Braces,
  svg: FileImage,
  html: FileCode2,
  css: FileCode2,
  zip: Package,
  sh: SquareTerminal,
  bash: SquareTerminal,
}

/** What a file is, by its name. */
export function FileIcon({ path }: { path: string }) {
  return createElement(iconOf(path), { 'aria-hidden': true, className: 'size-4 shrink-0 text-muted' })
}

function iconOf(path: string): LucideIcon {
  if (imageTypeOf(path)) return FileImage
  const ending = path.includes('.') ? (path.split('.').at(-1)?.toLowerCase() ?? '') : ''
  return icons[ending] ?? (languageOfFile(path) ? FileCode2 : File)
}
