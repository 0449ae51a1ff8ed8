import { useMutation } from '@tanstack/react-query'
import { routes } from 'virtual:contract-routes'
import { call } from '../call.ts'
import { useCall } from '../use-call.ts'

/** An address for members of the team. */
export const usePreview = () =>
  useMutation({
    mutationFn: (params: { id: string; port: number }) => call(routes.sandboxes.preview, { params }),
  })

/** An address for anyone who has it. */
export const usePreviewShare = () => useCall(routes.sandboxes.sharePreview, { changes: [] })

export const usePreviewsUnshare = () => useCall(routes.sandboxes.unsharePreviews, { changes: [] })
