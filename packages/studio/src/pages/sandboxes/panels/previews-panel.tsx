import type { Sandbox } from '@coherex/contract'
import { ExternalLink, Share2 } from 'lucide-react'
import { useState, type FormEvent } from 'react'
import { useRight } from '../../../data/access/rights.ts'
import { usePreview, usePreviewShare, usePreviewsUnshare } from '../../../data/sandbox.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field/field.tsx'
import { FormError } from '../../../ui/field/form-error.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { Code } from '../../../ui/text/code.tsx'
import { toast } from '../../../ui/toast/toast.ts'
import { exactTime } from '../../../words/relative-time.ts'

/** Addresses of ports that a process in the sandbox listens on. */
export function PreviewsPanel({ sandbox: { id, status } }: { sandbox: Sandbox }) {
  const [port, setPort] = useState('8000')
  const preview = usePreview()
  const share = usePreviewShare()
  const unshare = usePreviewsUnshare()
  const right = useRight('editor', 'open previews')
  const may = right.may && status !== 'ended'
  const params = { id, port: Number(port) }
  const isPort = /^\d{1,5}$/.test(port) && params.port >= 1 && params.port <= 65_535

  function submit(event: FormEvent) {
    event.preventDefault()
    share.reset()
    preview.mutate(params)
  }
  return (
    <div className="flex flex-col gap-4 px-4 py-4">
      <p className="text-dense text-muted">
        Open a web server that runs in the sandbox: for members of the team, or for anyone you share its address with.
      </p>
      <form onSubmit={submit} className="flex flex-wrap items-end gap-2">
        <Field label="Port" className="w-28">
          <Input inputMode="numeric" value={port} onChange={(event) => setPort(event.target.value)} />
        </Field>
        <Button type="submit" disabled={!may || !isPort} busy={preview.isPending}>
          Get address
        </Button>
        <Button
          icon={<Share2 aria-hidden />}
          disabled={!may || !isPort}
          busy={share.isPending}
          onClick={() => share.mutate({ params, body: { hours: 24 } })}
        >
          Share for a day
        </Button>
      </form>
      <FormError error={preview.error ?? share.error ?? unshare.error} />
      {preview.data && (
        <div className="flex flex-col items-start gap-2">
          <a
            href={preview.data.url}
            target="_blank"
            rel="noreferrer"
            className="inline-flex items-center gap-1.5 text-dense font-medium text-accent-text hover:underline"
          >
            <ExternalLink aria-hidden className="size-4" /> Open port {preview.variables?.port} for members
          </a>
        </div>
      )}
      {share.data && (
        <div className="flex flex-col gap-2">
          <p className="text-small text-muted">
            Anyone who has it sees the page until {exactTime(share.data.expiresAt)}.
          </p>
          <Code text={share.data.url} label="Shared address" />
        </div>
      )}
      <div>
        <Button
          look="danger-quiet"
          size="small"
          disabled={!may}
          busy={unshare.isPending}
          onClick={() =>
            unshare.mutate(
              { params: { id } },
              {
                onSuccess() {
                  share.reset()
                  toast({ title: 'Sharing stopped' })
                },
              },
            )
          }
        >
          Stop all sharing
        </Button>
      </div>
    </div>
  )
}
