import type { Letter } from './mail.ts'

export function resetLetter(to: string, name: string, link: string): Letter {
  return {
    to,
    subject: 'Reset your Coherex password',
    text: `Hello ${name},\n\nset a new password here within 24 hours:\n\n${link}\n\nIf you did not ask for this, ignore this letter.\n`,
  }
}

export function invitationLetter(to: string, inviter: string, team: string, link: string): Letter {
  return {
    to,
    subject: `${inviter} invites you to ${team} on Coherex`,
    text: `Hello,\n\n${inviter} invites you to the team "${team}" on Coherex. Join within seven days:\n\n${link}\n`,
  }
}
