import { networkPresets, type Language } from '@coherex/contract'
import { Plus } from 'lucide-react'
import type { Ref } from 'react'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { TextArea } from '../../ui/text-area.tsx'
import { addPreset, readOptions, type ScratchOptions } from './scratch-options.ts'

interface OptionsPanelProps {
  ref: Ref<HTMLElement>
  language: Language
  options: ScratchOptions
  onChange: (options: ScratchOptions) => void
  onReset: () => void
}

const runtimes = [
  { value: 'any', label: 'The cheapest that fits' },
  { value: 'isolate', label: 'Isolate', hint: 'JavaScript and TypeScript in milliseconds' },
  { value: 'process', label: 'Process', hint: 'Any language, as a process in a sandbox' },
  { value: 'wasm', label: 'WebAssembly', hint: 'Modules, and C compiled to one' },
] as const

/** What a run is given beside its code. */
export function OptionsPanel({ ref, language, options, onChange, onReset }: OptionsPanelProps) {
  const { errors } = readOptions(options)
  const set = (part: Partial<ScratchOptions>) => onChange({ ...options, ...part })
  const isScript = language === 'javascript' || language === 'typescript'
  const memory = isScript ? '128' : '256'
  return (
    <section
      ref={ref}
      aria-label="Options"
      className="grid max-h-[max(60%,14rem)] scroll-py-3 animate-rise grid-cols-2 gap-x-4 gap-y-3 overflow-y-auto border-b border-line bg-canvas px-4 py-4 max-sm:grid-cols-1"
    >
      {language !== 'bash' && (
        <Field label="Input as JSON" hint={inputHint[language] ?? commandHint} error={errors.input}>
          <TextArea
            rows={3}
            className="font-mono text-small!"
            placeholder='{ "n": 21 }'
            value={options.input}
            onChange={(event) => set({ input: event.target.value })}
          />
        </Field>
      )}
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
        <div className="-ml-1 flex flex-wrap">
          {Object.values(networkPresets).map(({ label, allow }) => (
            <Button
              key={label}
              size="small"
              look="quiet"
              icon={<Plus aria-hidden />}
              onClick={() => set({ allow: addPreset(options.allow, allow) })}
            >
              {label}
            </Button>
          ))}
        </div>
      </Field>
      {!isScript && (
        <Field label="Arguments" hint="One on each line, after the program's name.">
          <TextArea
            rows={2}
            className="font-mono text-small!"
            value={options.args}
            onChange={(event) => set({ args: event.target.value })}
          />
        </Field>
      )}
      <Field label="Standard input">
        <TextArea
          rows={2}
          className="font-mono text-small!"
          value={options.stdin}
          onChange={(event) => set({ stdin: event.target.value })}
        />
      </Field>
      <Field
        label="Environment variables"
        hint="One NAME=value a line. Recorded with the run: not for secrets."
        error={errors.env}
      >
        <TextArea
          rows={2}
          className="font-mono text-small!"
          placeholder="MODE=fast"
          value={options.env}
          onChange={(event) => set({ env: event.target.value })}
        />
      </Field>
      <div className="grid grid-cols-[2fr_3.2fr_3fr] gap-2">
        <Field label="Time (s)" error={errors.seconds}>
          <Input
            inputMode="decimal"
            placeholder="30"
            value={options.seconds}
            onChange={(event) => set({ seconds: event.target.value })}
          />
        </Field>
        <Field label="Memory (MB)" error={errors.memoryMb}>
          <Input
            inputMode="numeric"
            placeholder={memory}
            value={options.memoryMb}
            onChange={(event) => set({ memoryMb: event.target.value })}
          />
        </Field>
        <Field label="Output (kB)" error={errors.outputKb}>
          <Input
            inputMode="numeric"
            placeholder="1000"
            value={options.outputKb}
            onChange={(event) => set({ outputKb: event.target.value })}
          />
        </Field>
      </div>
      <Field label="Runtime">
        <Select value={options.runtime} choices={runtimes} onChange={(runtime) => set({ runtime })} />
      </Field>
      {isScript && (
        <Field label="Packages" hint="Found by their imports; name them here only for imports that code makes up.">
          <Input
            placeholder="zod lodash-es"
            value={options.packages}
            onChange={(event) => set({ packages: event.target.value })}
          />
        </Field>
      )}
      <div className="flex flex-col justify-end gap-2">
        {language === 'typescript' && (
          <Checkbox checked={options.typecheck} onChange={(typecheck) => set({ typecheck })}>
            Check types first
          </Checkbox>
        )}
        <Checkbox checked={options.readOnly} onChange={(readOnly) => set({ readOnly })}>
          Write no files
        </Checkbox>
      </div>
      <div className="col-span-full flex justify-end">
        <Button size="small" look="quiet" onClick={onReset}>
          Reset options
        </Button>
      </div>
    </section>
  )
}

const inputHint: Partial<Record<Language, string>> = {
  javascript: 'The second argument of the default export, and the global input.',
  typescript: 'The second argument of the default export, and the global input.',
  python: 'coherex.input, after import coherex.',
  node: 'import { input } from "coherex"',
  sql: "getvariable('input'), as JSON.",
}
const commandHint = 'The variable COHEREX_INPUT, and the file that COHEREX_INPUT_FILE names.'
