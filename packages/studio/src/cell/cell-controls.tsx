import type { Language, Run } from '@coherex/contract'
import { Play } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Right } from '../data/access/rights.ts'
import { languageNames } from '../output/run-words.ts'
import { Button } from '../ui/button.tsx'
import { Select, type Choice } from '../ui/field/select.tsx'
import { Reason } from '../ui/reason.tsx'
import { Tooltip } from '../ui/tooltip.tsx'
import { StopButton } from './stop-button.tsx'

interface RunButtonProps {
  /** What runs now, and is stopped instead. */
  running: Pick<Run, 'id'> | undefined
  right: Right
  isStarting: boolean
  isEmpty?: boolean
  onRun: () => void
  tip?: string
  size?: 'small' | 'medium'
  look?: 'primary' | 'secondary'
}

/** Runs code, or stops it while it runs. */
export function RunButton(props: RunButtonProps) {
  const { running, right, isStarting, isEmpty, onRun, tip = 'Run the code', size = 'medium', look } = props
  if (running) return <StopButton run={running} size={size} />
  return (
    <Reason why={right.why}>
      <Tooltip text={tip} shortcut="mod enter">
        <Button
          look={look ?? 'secondary'}
          size={size}
          icon={<Play aria-hidden />}
          busy={isStarting}
          disabled={right.why !== undefined || isEmpty}
          onClick={onRun}
        >
          Run
        </Button>
      </Tooltip>
    </Reason>
  )
}

interface LanguageFieldProps {
  language: Language
  choices: readonly Choice<Language>[]
  /** Without it the language is only shown. */
  onChange: ((language: Language) => void) | undefined
  size?: 'small' | 'medium'
}

export function LanguageField({ language, choices, onChange, size = 'medium' }: LanguageFieldProps): ReactNode {
  if (!onChange) return <span className="px-1 text-muted">{languageNames[language]}</span>
  return (
    <Select
      label="Language"
      size={size}
      className={size === 'small' ? 'w-30!' : 'w-36!'}
      value={language}
      choices={choices}
      onChange={onChange}
    />
  )
}
