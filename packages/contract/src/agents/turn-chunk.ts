import { z } from 'zod'
import { idOf } from '../wire/id.ts'
import { anyText } from '../wire/text.ts'
import { saidData, turnEnding } from './thread.ts'

// of the AI SDK: what we read of them is bound, and what a newer SDK adds stays
const call = { toolCallId: z.string() }
const named = { ...call, toolName: z.string() }
const file = { mediaType: z.string(), url: z.string() }
const ofTurn = z.looseObject({ turnId: idOf('turn') })

const ofSdk = [
  z.looseObject({ type: z.literal('text-start'), id: z.string() }),
  z.looseObject({ type: z.literal('text-delta'), id: z.string(), delta: z.string() }),
  z.looseObject({ type: z.literal('text-end'), id: z.string() }),
  z.looseObject({ type: z.literal('reasoning-start'), id: z.string() }),
  z.looseObject({ type: z.literal('reasoning-delta'), id: z.string(), delta: z.string() }),
  z.looseObject({ type: z.literal('reasoning-end'), id: z.string() }),
  z.looseObject({ type: z.literal('tool-input-start'), ...named }),
  z.looseObject({ type: z.literal('tool-input-delta'), ...call, inputTextDelta: z.string() }),
  z.looseObject({ type: z.literal('tool-input-available'), ...named, input: z.unknown() }),
  z.looseObject({ type: z.literal('tool-input-error'), ...named, input: z.unknown(), errorText: z.string() }),
  z.looseObject({ type: z.literal('tool-approval-request'), ...call, approvalId: z.string() }),
  z.looseObject({ type: z.literal('tool-approval-response'), approvalId: z.string(), approved: z.boolean() }),
  z.looseObject({
    type: z.literal('tool-output-available'),
    ...call,
    output: z.unknown(),
    preliminary: z.boolean().optional(),
  }),
  z.looseObject({ type: z.literal('tool-output-error'), ...call, errorText: z.string() }),
  z.looseObject({ type: z.literal('tool-output-denied'), ...call }),
  z.looseObject({ type: z.literal('file'), ...file }),
  z.looseObject({ type: z.literal('reasoning-file'), ...file }),
  z.looseObject({ type: z.literal('source-url'), sourceId: z.string(), url: z.string() }),
  z.looseObject({
    type: z.literal('source-document'),
    sourceId: z.string(),
    mediaType: z.string(),
    title: z.string(),
  }),
  z.looseObject({ type: z.literal('custom'), kind: z.templateLiteral([z.string(), '.', z.string()]) }),
  z.looseObject({ type: z.literal('start-step') }),
  z.looseObject({ type: z.literal('finish-step') }),
  z.looseObject({ type: z.literal('reset-step') }),
  z.looseObject({ type: z.literal('message-metadata'), messageMetadata: z.unknown() }),
] as const

const transient = z.literal(true)

const ofOurs = [
  z.strictObject({
    type: z.literal('start'),
    messageId: idOf('message'),
    /** `before` is how many parts its message had before the turn: what the stream tells comes after them. */
    messageMetadata: ofTurn.extend({ before: z.number().int().optional() }),
  }),
  /** A provider failed and is asked again. */
  z.strictObject({
    type: z.literal('data-retry'),
    data: z.strictObject({ attempt: z.number().int(), reason: anyText() }),
    transient,
  }),
  /** The step after the first `steps` of the turn broke off and is said anew. */
  z.strictObject({
    type: z.literal('data-restart'),
    data: z.strictObject({ steps: z.number().int() }),
    transient,
  }),
  /** What a person said into the turn. */
  z.strictObject({ type: z.literal('data-said'), id: idOf('message'), data: saidData }),
  /** How the turn ended, when it did not answer. */
  z.strictObject({ type: z.literal('data-ending'), data: turnEnding }),
  /** The same for `useChat`, which shows it as an error. */
  z.strictObject({ type: z.literal('error'), errorText: anyText() }),
  z.strictObject({ type: z.literal('finish'), messageMetadata: ofTurn }),
] as const

/** What a turn streams: chunks of the AI SDK's UI message stream, version 1. Readers pass over types that they do not know. */
export const turnChunk = z.discriminatedUnion('type', [...ofSdk, ...ofOurs])
export type TurnChunk = z.infer<typeof turnChunk>
