import type { MadeShare, Share, ShareMode, ShareReach, ShareTarget } from '@coherex/contract'
import { Link2, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useMe } from '../../data/access/me.ts'
import { useShareCreate, useShareRevoke, useShares } from '../../data/share.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions, DialogBody } from '../../ui/dialog/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Checkbox } from '../../ui/field/checkbox.tsx'
import { Field } from '../../ui/field/field.tsx'
import { FormError } from '../../ui/field/form-error.tsx'
import { Select } from '../../ui/field/select.tsx'
import { LoadMore } from '../../ui/list/load-more.tsx'
import { WaitingLines } from '../../ui/skeleton.tsx'
import { CopyField } from '../../ui/text/copy.tsx'
import { Time } from '../../ui/text/time.tsx'
import { toast } from '../../ui/toast/toast.ts'

interface ShareDialogProps {
  of: ShareTarget
  noun: keyof typeof shownWords
  title: string
  onClose: () => void
}

/** What a link shows. */
const shownWords = {
  block: 'A share shows the block as it is when it is opened, with its versions and its last output.',
  conversation:
    'A share shows what was said up to now: words and code, without calls of tools, files and later messages.',
  file: 'A share shows the file as it is when it is opened.',
}
const reaches = [
  { value: 'team', label: 'The team', hint: 'Members open it signed in.' },
  { value: 'public', label: 'Anyone with the link', hint: 'Without signing in, also on other sites.' },
] as const
const modes = [
  { value: 'view', label: 'Read', hint: 'Words, code and output, as they are.' },
  { value: 'run', label: 'Run', hint: 'Visitors also run its code, in their own browser.' },
] as const
const lasting = [
  { value: '0', label: 'Until revoked' },
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
] as const
const dayMs = 86_400_000

/** Makes links to a block, a conversation or a file, and shows and revokes those there are. */
export function ShareDialog({ of, noun, title, onClose }: ShareDialogProps) {
  const create = useShareCreate()
  const [reach, setReach] = useState<ShareReach>('team')
  const [mode, setMode] = useState<ShareMode>('view')
  const [days, setDays] = useState<(typeof lasting)[number]['value']>('0')
  const [isListed, setListed] = useState(false)
  const [made, setMade] = useState<MadeShare>()

  function share() {
    const expires = days === '0' ? {} : { expiresAt: new Date(Date.now() + Number(days) * dayMs).toISOString() }
    create.mutate({ body: { ...of, title, reach, mode, isListed, ...expires } }, { onSuccess: setMade })
  }

  return (
    <Dialog open wide onClose={onClose} title={`Share ${title}`} description={shownWords[noun]}>
      <DialogBody>
        {made ? (
          <MadeLinks made={made} />
        ) : (
          <>
            <div className="grid grid-cols-3 gap-3 max-md:grid-cols-1">
              <Field label="For">
                <Select value={reach} choices={reaches} onChange={setReach} />
              </Field>
              <Field label="They may">
                <Select value={mode} choices={modes} onChange={setMode} />
              </Field>
              <Field label="For how long">
                <Select value={days} choices={lasting} onChange={setDays} />
              </Field>
            </div>
            <Checkbox checked={isListed} onChange={setListed} hint="The team finds it under Library › Gallery.">
              Publish in the gallery
            </Checkbox>
            <FormError error={create.error} />
          </>
        )}
        <Shares of={of} noun={noun} />
      </DialogBody>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        {made ? (
          <Button onClick={() => setMade(undefined)}>Create another link</Button>
        ) : (
          <Button look="primary" icon={<Link2 aria-hidden />} busy={create.isPending} onClick={share}>
            Create link
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}

function MadeLinks({ made: { url, embedUrl, title } }: { made: MadeShare }) {
  const frame = `<iframe src="${embedUrl}" title="${escapeAttribute(title)}" width="100%" height="400" style="border:0" sandbox="allow-scripts allow-popups"></iframe>`
  return (
    <div className="flex flex-col gap-3">
      <CopyField label="Link" text={url} />
      {embedUrl !== null && (
        <>
          <p className="text-dense text-muted">For a page of another site:</p>
          <CopyField label="Embed code" text={frame} />
          <p className="text-small text-muted">
            The link is shown now only: the server keeps no copy. Make another where it is lost.
          </p>
        </>
      )}
    </div>
  )
}

const escapeAttribute = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')

function Shares({ of, noun }: Pick<ShareDialogProps, 'of' | 'noun'>) {
  const shares = useShares(of)
  if (shares.error)
    return <ErrorState doing="read the links" error={shares.error} onRetry={() => void shares.refetch()} />
  if (!shares.items) return <WaitingLines label="Loading links" className="gap-3" lines={['h-4 w-72']} />
  if (shares.items.length === 0) return null
  return (
    <section aria-label="Links" className="flex flex-col gap-1.5">
      <h3 className="text-dense font-medium">Links to this {noun}</h3>
      <ul className="flex flex-col gap-1">
        {shares.items.map((share) => (
          <ShareLine key={share.id} share={share} />
        ))}
      </ul>
      <LoadMore pages={shares} />
    </section>
  )
}

function ShareLine({ share: { id, reach, mode, isListed, createdAt, createdBy, expiresAt } }: { share: Share }) {
  const revoke = useShareRevoke()
  const me = useMe()
  const isOver = expiresAt !== null && Date.parse(expiresAt) <= Date.now()
  const may = createdBy.id === me.person.id || me.role === 'admin' || me.role === 'owner'
  return (
    <li className="flex flex-wrap items-center gap-2 rounded-md border border-line px-3 py-1.5 text-dense">
      <span className="font-medium">
        {reach === 'team' ? 'The team' : 'Anyone with the link'} · {mode === 'run' ? 'run' : 'read'}
      </span>
      <span className="min-w-0 text-muted">
        {createdBy.name}, <Time at={createdAt} />
        {isListed && ', in the gallery'}
        {expiresAt !== null && (
          <>
            , {isOver ? 'expired' : 'until'} <Time at={expiresAt} />
          </>
        )}
      </span>
      <Button
        size="small"
        look="danger-quiet"
        className="ml-auto"
        icon={<Trash2 aria-hidden />}
        disabled={!may}
        busy={revoke.isPending}
        onClick={() =>
          revoke.mutate(
            { params: { id } },
            {
              onError: (error) =>
                toast({ title: 'Could not revoke the link', description: error.message, tone: 'error' }),
            },
          )
        }
      >
        Revoke
      </Button>
    </li>
  )
}
