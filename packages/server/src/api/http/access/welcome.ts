import type { Me } from '@coherex/contract'
import type { Context } from 'hono'
import type { Api } from '../../api.ts'
import { originOf, type Env } from '../requests/request-context.ts'
import { describeSignedIn } from './describe-signed-in.ts'

/** Lets someone in who has shown who they are: gives the browser its new session, ends the one it had, says so in the log. */
export async function welcome(
  api: Api,
  context: Context<Env>,
  { cookies, how }: { cookies: string[]; how: string },
): Promise<Me> {
  const origin = originOf(context)
  // the browser forgets its old cookie now
  await api.access.people.endFormerSession(context.get('headers'))
  const me = await describeSignedIn(api, withCookies(context.get('headers'), cookies), origin)
  await api.access.people.recordSignIn(me.person, origin, how)
  // better-auth made the session by itself: its cookie is given away only once its line is in the log
  addCookies(context, cookies)
  context.set('callerId', me.person.id)
  return me
}

export function addCookies(context: Context<Env>, cookies: string[]): void {
  for (const cookie of cookies) context.header('set-cookie', cookie, { append: true })
}

/** The request's headers as the next request of this browser will have them. */
function withCookies(headers: Headers, cookies: string[]): Headers {
  const next = new Headers(headers)
  next.delete('authorization')
  next.set('cookie', cookies.map((one) => one.split(';', 1)[0]).join('; '))
  return next
}
