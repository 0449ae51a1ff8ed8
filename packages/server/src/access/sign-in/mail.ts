import type { Log } from '../../base/index.ts'

export interface MailSettings {
  /** smtp:// or smtps:// with user and password where needed. */
  url: string
  from: string
}

export interface Letter {
  to: string
  subject: string
  text: string
}

/** A link for someone else: it is told only where no mail went out. */
export interface PassOnLink {
  link: string | null
  mailed: boolean
  expiresAt: string
}

/** Sends a letter; false when it could not be handed over, so that the link is shown instead. */
export type SendMail = (letter: Letter) => Promise<boolean>

export function createMailer({ url, from }: MailSettings, log: Log): SendMail {
  // most installations never send one
  const open = async () => {
    const { createTransport } = await import('nodemailer')
    const patience = { connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }
    return createTransport({ url, ...patience }, { from })
  }
  let transport: ReturnType<typeof open> | undefined
  return async (letter) => {
    try {
      transport ??= open()
      await (await transport).sendMail(letter)
      return true
    } catch (error) {
      log.error({ error }, 'a letter could not be sent')
      return false
    }
  }
}
