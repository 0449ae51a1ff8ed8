import { CoherexError, type InputRequest } from '@coherex/contract'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { useRight } from '../data/access/rights.ts'
import { useRunAnswer } from '../data/run/run-answer.ts'
import { Button } from '../ui/button.tsx'
import { Input } from '../ui/field/input.tsx'
import { toast } from '../ui/toast/toast.ts'

interface InputLineProps {
  runId: string
  request: InputRequest
  /** Whoever started the cell and types nothing else meanwhile goes on here. */
  takesFocus: boolean
  /** Takes the line in the place of the server. */
  onAnswer?: ((line: string | null) => void) | undefined
  onAnswered: () => void
}

/** The line that a cell waits for. */
export function InputLine({ runId, request: { prompt, secret }, takesFocus, onAnswer, onAnswered }: InputLineProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  const [text, setText] = useState('')
  const answer = useRunAnswer()
  const right = useRight('editor', 'answer a cell')
  const { may, why } = onAnswer ? { may: true, why: undefined } : right
  useEffect(() => {
    if (takesFocus) field.current?.focus()
  }, [takesFocus])

  function send(line: string | null) {
    if (answer.isPending) return
    if (onAnswer) return onAnswer(line)
    answer.mutate(
      { params: { id: runId }, body: { text: line } },
      {
        onSuccess: onAnswered,
        onError(error) {
          // somebody else was quicker, or it does not wait any longer
          if (error instanceof CoherexError && (error.code === 'conflict' || error.code === 'not_found')) onAnswered()
          else toast({ title: 'Could not send the line', description: error.message, tone: 'error' })
        },
      },
    )
  }
  function submit(event: FormEvent) {
    event.preventDefault()
    send(text)
  }
  return (
    <form onSubmit={submit} className="flex flex-wrap items-center gap-2 border-t border-line bg-sunken px-4 py-2">
      <label htmlFor={id} className="max-w-full font-mono text-small break-words whitespace-pre-wrap">
        {prompt.trimEnd() || 'Waiting for input'}
      </label>
      <Input
        id={id}
        ref={field}
        type={secret ? 'password' : 'text'}
        className="h-7! min-w-40 flex-1 font-mono text-small!"
        value={text}
        disabled={!may}
        title={why}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" size="small" disabled={!may} busy={answer.isPending}>
        Send
      </Button>
      <Button size="small" look="quiet" disabled={!may} onClick={() => send(null)}>
        End of input
      </Button>
    </form>
  )
}
