import { useSecretList } from '../../../data/secret.ts'
import { Field } from '../../../ui/field/field.tsx'
import { Input } from '../../../ui/field/input.tsx'
import { Select } from '../../../ui/field/select.tsx'

/** What a form about a repository asks for; empty is not said. */
export interface GitPlace {
  url: string
  branch: string
  secret: string
}

export const gitFields = ['url', 'branch', 'secret'] as const
export const noPlace: GitPlace = { url: '', branch: '', secret: '' }

/** As the server takes it: what was left empty is left out. */
export function sayPlace({ url, branch, secret }: GitPlace) {
  return {
    url: url.trim(),
    ...(branch.trim() === '' ? {} : { branch: branch.trim() }),
    ...(secret === '' ? {} : { secret }),
  }
}

interface GitPlaceFieldsProps {
  place: GitPlace
  /** Why the server refused a field. */
  errorOf: (field: keyof GitPlace) => string | undefined
  branchHint: string
  branchNeeded?: boolean
  onChange: (part: Partial<GitPlace>) => void
}

/** Where a repository is, which branch of it, and with which secret. What the server refuses is said at the field. */
export function GitPlaceFields({ place, errorOf, branchHint, branchNeeded = false, onChange }: GitPlaceFieldsProps) {
  const secrets = useSecretList({ enabled: true })
  const names = new Set([...(secrets.items?.map(({ name }) => name) ?? []), ...(place.secret ? [place.secret] : [])])
  const choices = [{ value: '', label: 'None' }, ...[...names].map((name) => ({ value: name, label: name }))]
  return (
    <>
      <Field label="Address" error={errorOf('url')}>
        <Input
          required
          autoFocus
          type="url"
          spellCheck={false}
          maxLength={2000}
          className="font-mono"
          placeholder="https://github.com/me/tool.git"
          value={place.url}
          onChange={(event) => onChange({ url: event.target.value })}
        />
      </Field>
      <Field label="Branch" hint={branchHint} error={errorOf('branch')}>
        <Input
          required={branchNeeded}
          spellCheck={false}
          maxLength={200}
          className="font-mono"
          placeholder="main"
          value={place.branch}
          onChange={(event) => onChange({ branch: event.target.value })}
        />
      </Field>
      <Field
        label="Token"
        hint="A secret of the team. An admin uses it with a host first, then editors may."
        error={errorOf('secret')}
      >
        <Select value={place.secret} choices={choices} onChange={(secret) => onChange({ secret })} />
      </Field>
    </>
  )
}
