import { skillLimits } from '@coherex/contract'
import { Callout } from '../../ui/callout.tsx'
import { Field } from '../../ui/field/field.tsx'
import { Input } from '../../ui/field/input.tsx'
import { TextArea } from '../../ui/field/text-area.tsx'
import { readSkillFields, setSkillField, type SkillFields } from './edit-front-matter.ts'

interface SkillFormProps {
  /** The SKILL.md. */
  text: string
  canEdit: boolean
  /** A stored skill keeps its name. */
  keepsName: boolean
  onChange: (text: string) => void
}

/** A SKILL.md as a form. It holds nothing itself: each change edits the text, and the text shows here. */
export function SkillForm({ text, canEdit, keepsName, onChange }: SkillFormProps) {
  const fields = readSkillFields(text)
  if (!fields) {
    return (
      <div className="p-4">
        <Callout tone="warning">
          The form cannot read the front matter of SKILL.md. Fix the text to use the form.
        </Callout>
      </div>
    )
  }
  const bind = (field: keyof SkillFields) => ({
    readOnly: !canEdit,
    value: fields[field],
    onChange: ({ target }: { target: { value: string } }) => onChange(setSkillField(text, field, target.value)),
  })
  return (
    <div className="flex flex-col gap-4 p-4">
      {!keepsName && (
        <Field label="Name" hint="Lower case letters, digits and hyphens">
          <Input maxLength={64} {...bind('name')} />
        </Field>
      )}
      <Field label="Description" hint="What it does and when to use it. Agents read this to decide whether to load it.">
        <TextArea rows={3} maxLength={skillLimits.descriptionLength} {...bind('description')} />
      </Field>
      <Field label="Instructions">
        <TextArea rows={14} maxLength={skillLimits.instructionsBytes} {...bind('instructions')} />
      </Field>
      <div className="grid grid-cols-2 gap-3 max-md:grid-cols-1">
        <Field label="Compatibility" hint="What it needs, such as Python 3">
          <Input maxLength={skillLimits.compatibilityLength} {...bind('compatibility')} />
        </Field>
        <Field label="License">
          <Input maxLength={500} {...bind('license')} />
        </Field>
      </div>
    </div>
  )
}
