import { useMutation } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useDraft } from '../state/draft.ts'
import { fieldError, formError } from './field-error.ts'

interface FormOptions<Values extends object, Name extends keyof Values & string, Answer> {
  /** Under this name what was typed survives a reload; without it, it lives as long as the form. */
  draft?: string
  initial: Values
  /** Fields that are never stored, such as passwords. */
  secret?: readonly (keyof Values)[]
  /** Fields that say themselves why the server refused them; all else is said below the form. */
  fields?: readonly Name[]
  /** What is wrong with fields: said once someone has tried to send them, and from then on as they type. */
  check?: (values: Values) => Partial<Record<Name, string | undefined>>
  send: (values: Values) => Promise<Answer>
  onSent?: (answer: Answer, sent: Values) => void
  /** What the fields hold once it was sent; without it, what they began with. */
  after?: (sent: Values) => Values
}

/** What a form needs of `useForm` to be sent. */
export interface SentForm {
  submit: (event: FormEvent) => void
  busy: boolean
  error: Error | null
}

type TextName<Values> = { [Name in keyof Values]: Values[Name] extends string ? Name : never }[keyof Values] & string

/** What someone types until the server takes it. A refusal, or a reload under the name of a draft, loses none of it. */
export function useForm<Values extends object, Name extends keyof Values & string, Answer>(
  options: FormOptions<Values, Name, Answer>,
) {
  const { draft: draftName, initial, secret, fields = [], check, send, onSent, after } = options
  const draft = useDraft(draftName, initial, secret)
  const [isTried, setIsTried] = useState(false)
  const sending = useMutation({ mutationFn: send })
  const values = draft.value
  const problems: Partial<Record<Name, string | undefined>> = check?.(values) ?? {}

  function submit(event: FormEvent) {
    event.preventDefault()
    setIsTried(true)
    if (sending.isPending || Object.values(problems).some((problem) => problem !== undefined)) return
    sending.mutate(values, {
      onSuccess(answer) {
        setIsTried(false)
        draft.forget(after?.(values))
        onSent?.(answer, values)
      },
    })
  }

  return {
    values,
    set: draft.change,
    /** Gives up what was typed. */
    forget: () => draft.forget(),
    /** Value and change of a control that holds a text. */
    text: (name: TextName<Values>) => ({
      value: values[name] as string,
      onChange: (event: { target: { value: string } }) =>
        draft.change({ [name]: event.target.value } as unknown as Partial<Values>),
    }),
    errorOf: (name: Name) => (isTried ? problems[name] : undefined) ?? fieldError(sending.error, name),
    error: formError(sending.error, fields),
    /** Why it was refused, whatever it is about. */
    refusal: sending.error,
    busy: sending.isPending,
    /** What the server said to it; undefined until then. */
    answer: sending.data,
    /** Begins anew after an answer. */
    reset: sending.reset,
    submit,
  }
}
