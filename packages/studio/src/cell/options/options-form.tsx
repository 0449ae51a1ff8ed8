import {
  networkPresets,
  packageLanguageOf,
  readRequirements,
  type Language,
  type PackageLanguage,
} from '@coherex/contract'
import { Plus } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/field/checkbox.tsx'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { Select } from '../../ui/field/select.tsx'
import { TextArea } from '../../ui/field/text-area.tsx'
import { InputFields } from './input-fields.tsx'
import type { InputSchema } from './input-schema.ts'
import { LazyPackagesField } from './packages/lazy-packages-field.tsx'
import { addPreset, readOptions, type OptionName, type TypedOptions } from './typed-options.ts'

export interface OptionsFormProps {
  language: Language
  options: TypedOptions
  onChange: (options: TypedOptions) => void
  /** The options that apply here; all when left out. */
  only?: readonly OptionName[] | undefined
  /** The shape of the input, where it is known: it is then asked for field by field. */
  schema?: InputSchema | undefined
  /** What one gets here without asking, where it is not the usual. */
  usual?: { seconds: string } | undefined
}

const runtimes = [
  { value: 'any', label: 'The cheapest that fits' },
  { value: 'isolate', label: 'Isolate', hint: 'JavaScript and TypeScript in milliseconds' },
  { value: 'process', label: 'Process', hint: 'Any language, as a process in a sandbox' },
  { value: 'wasm', label: 'WebAssembly', hint: 'Modules, and C compiled to one' },
] as const

const limits = ['seconds', 'memoryMb', 'outputKb'] as const

/** What a run is given beside its code. */
export function OptionsForm({ language, options, onChange, only, schema, usual }: OptionsFormProps) {
  const { errors } = readOptions(options)
  const set = (part: Partial<TypedOptions>) => onChange({ ...options, ...part })
  const isScript = language === 'javascript' || language === 'typescript'
  const packagesOf = packageLanguageOf(language)
  const shows = (name: OptionName) => only?.includes(name) ?? true
  const lines = (name: 'args' | 'env' | 'stdin', placeholder?: string) => (
    <TextArea
      rows={2}
      className="font-mono text-small!"
      placeholder={placeholder}
      value={options[name]}
      onChange={(event) => set({ [name]: event.target.value })}
    />
  )
  const number = (name: 'seconds' | 'memoryMb' | 'outputKb', label: string, usual: string) =>
    shows(name) && (
      <Field label={label} error={errors[name]} className="min-w-0 flex-1">
        <Input
          inputMode="decimal"
          placeholder={usual}
          value={options[name]}
          onChange={(event) => set({ [name]: event.target.value })}
        />
      </Field>
    )
  return (
    <div className="@container">
      <div className="grid grid-cols-2 gap-x-4 gap-y-3 @max-[520px]:grid-cols-1">
        {shows('packages') && packagesOf && (
          <LazyPackagesField
            language={packagesOf}
            requirements={readRequirements(options.packages)}
            onChange={(packages) => set({ packages: packages.join(' ') })}
            hint={packagesHint[packagesOf]}
            className="col-span-full"
          />
        )}
        {shows('input') && language !== 'bash' && (
          <InputFields
            schema={schema}
            hint={inputHint[language] ?? commandHint}
            text={options.input}
            error={errors.input}
            onChange={(input) => set({ input })}
          />
        )}
        {shows('allow') && (
          <Field
            label="Network: addresses it may reach"
            hint="One URL prefix a line. Everything else is refused, and every request is logged with the run."
            error={errors.allow}
          >
            <TextArea
              rows={3}
              className="font-mono text-small!"
              placeholder="https://api.github.com/"
              value={options.allow}
              onChange={(event) => set({ allow: event.target.value })}
            />
            <NetworkPresets onAdd={(allow) => set({ allow: addPreset(options.allow, allow) })} />
          </Field>
        )}
        {shows('args') && !isScript && (
          <Field label="Arguments" hint="One on each line, after the program's name.">
            {lines('args')}
          </Field>
        )}
        {shows('stdin') && <Field label="Standard input">{lines('stdin')}</Field>}
        {shows('env') && (
          <Field
            label="Environment variables"
            hint="One NAME=value a line. Recorded with the run: not for secrets."
            error={errors.env}
          >
            {lines('env', 'MODE=fast')}
          </Field>
        )}
        {limits.some(shows) && (
          <div className="flex gap-2">
            {number('seconds', 'Time (s)', usual?.seconds ?? '30')}
            {number('memoryMb', 'Memory (MB)', isScript ? '128' : '256')}
            {number('outputKb', 'Output (kB)', '1000')}
          </div>
        )}
        {shows('runtime') && (
          <Field label="Runtime">
            <Select value={options.runtime} choices={runtimes} onChange={(runtime) => set({ runtime })} />
          </Field>
        )}
        {(shows('typecheck') || shows('readOnly')) && (
          <div className="flex flex-col justify-end gap-2">
            {shows('typecheck') && language === 'typescript' && (
              <Checkbox checked={options.typecheck} onChange={(typecheck) => set({ typecheck })}>
                Check types first
              </Checkbox>
            )}
            {shows('readOnly') && (
              <Checkbox checked={options.readOnly} onChange={(readOnly) => set({ readOnly })}>
                Write no files
              </Checkbox>
            )}
          </div>
        )}
      </div>
    </div>
  )
}

/** Buttons that add the addresses of a well-known place to an allow-list. */
export function NetworkPresets({ onAdd }: { onAdd: (allow: readonly string[]) => void }) {
  return (
    <div className="-ml-1 flex flex-wrap">
      {Object.values(networkPresets).map(({ label, allow }) => (
        <Button key={label} size="small" look="quiet" icon={<Plus aria-hidden />} onClick={() => onAdd(allow)}>
          {label}
        </Button>
      ))}
    </div>
  )
}

const packagesHint: Record<PackageLanguage, string> = {
  python: 'From PyPI, beside what the server has. A script may also name them in its first comment, as PEP 723 says.',
  javascript: 'Found by their imports; name one here for a version of your choice.',
}

const inputHint: Partial<Record<Language, string>> = {
  javascript: 'The second argument of the default export, and the global input.',
  typescript: 'The second argument of the default export, and the global input.',
  python: 'coherex.input, after import coherex.',
  node: 'import { input } from "coherex"',
  sql: "getvariable('input'), as JSON.",
}
const commandHint = 'The variable COHEREX_INPUT, and the file that COHEREX_INPUT_FILE names.'
