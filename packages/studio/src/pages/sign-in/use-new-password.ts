import { useState } from 'react'
import { passwordProblem } from './password-rule.ts'

export interface NewPassword {
  value: string
  /** What is wrong with it, once someone has tried to send it. */
  problem: string | undefined
  change: (value: string) => void
  /** Whether it can be sent; what is wrong with it is said from now on. */
  isReady: () => boolean
  clear: () => void
}

/** A password that someone chooses. */
export function useNewPassword(): NewPassword {
  const [value, setValue] = useState('')
  const [tried, setTried] = useState(false)
  const problem = passwordProblem(value)
  return {
    value,
    problem: tried ? problem : undefined,
    change: setValue,
    isReady() {
      setTried(true)
      return problem === undefined
    },
    clear() {
      setValue('')
      setTried(false)
    },
  }
}
