import { useMutation } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import type { AuditQuery } from './audit-list.ts'

export const useAuditExport = () =>
  useMutation({
    mutationFn: async ({ query, format }: { query: AuditQuery; format: 'csv' | 'json' }) => {
      const text = await call(routes.audit.export, { query: { ...query, format } })
      saveFile(
        text,
        `audit-${new Date().toISOString().slice(0, 10)}.${format}`,
        format === 'csv' ? 'text/csv' : 'application/json',
      )
    },
  })

function saveFile(text: string, name: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
