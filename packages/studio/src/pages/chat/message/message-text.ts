import type { Message } from '@coherex/contract'

/** The words of a message, without its calls. */
export function messageText({ parts }: Pick<Message, 'parts'>): string {
  return parts
    .flatMap((part) => (part.type === 'text' ? [String(part['text'])] : []))
    .join('\n\n')
    .trim()
}
