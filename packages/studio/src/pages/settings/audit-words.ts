import type { AuditEvent } from '@coherex/contract'

/** What someone did, so that "Ada …, Bob" reads as a sentence. */
const deeds: Record<string, string> = {
  'team.create': 'created the team',
  'team.rename': 'renamed the team',
  'team.delete': 'deleted the team',
  'setup.finish': 'finished the setup of',
  'member.join': 'joined',
  'member.role': 'changed the role of',
  'member.leave': 'left the team',
  'member.remove': 'removed',
  'invitation.create': 'invited',
  'invitation.revoke': 'withdrew the invitation of',
  'key.create': 'created the key',
  'key.revoke': 'revoked the key',
  'secret.create': 'stored the secret',
  'secret.replace': 'replaced the secret',
  'secret.delete': 'deleted the secret',
  'quota.change': 'changed the quotas',
  'password.reset-link': 'made a reset link for',
  'password.change': 'changed their password',
  'password.reset': 'reset their password',
  'sign-in': 'signed in',
  'sign-in.fail': 'failed to sign in',
  'sign-out': 'signed out',
  'session.end': 'ended a session of',
  'person.rename': 'changed their name',
  'run.start': 'started the run',
  'run.cancel': 'cancelled the run',
  'run.alert': 'raised an alert on the run',
  'workspace.create': 'created the workspace',
  'workspace.update': 'changed the workspace',
  'workspace.delete': 'deleted the workspace',
  'variable.set': 'set a variable of',
  'variable.delete': 'deleted a variable of',
  'agent.create': 'created the agent',
  'agent.change': 'changed the agent',
  'agent.status': 'changed the status of the agent',
  'agent.delete': 'deleted the agent',
  'skill.create': 'created the skill',
  'skill.change': 'changed the skill',
  'skill.propose': 'proposed the skill',
  'skill.approve': 'approved the skill',
  'skill.reject': 'rejected a version of the skill',
  'skill.withdraw': 'withdrew the approval of the skill',
  'skill.archive': 'archived the skill',
  'skill.unarchive': 'brought back the skill',
  'skill.delete': 'deleted the skill',
  'trigger.secret-create': 'made the secret of the trigger',
  'trigger.secret-replace': 'replaced the secret of the trigger',
  'trigger.test': 'fired by hand the trigger',
  'trigger.redelivery': 'sent once more what came to the trigger',
  'thread.delete': 'deleted the conversation',
  'turn.end': 'had an answer of',
  'model.default': 'chose the default model',
  'approval.ask': 'asked to use',
  'approval.approve': 'approved the use of',
  'approval.reject': 'rejected the use of',
  'approval.expire': 'got no answer on',
  'approval.rules': 'changed when people are asked',
}

/** The name of what was acted on; nothing when people act on themselves. */
export function objectOf({ actor, target }: Pick<AuditEvent, 'actor' | 'target'>): string | undefined {
  return target?.id === actor.id ? undefined : (target?.name ?? undefined)
}

/** An action as words; one we do not know yet is shown as it is. */
export function deedOf(action: string): string {
  return deeds[action] ?? action
}

/** Nouns one can filter by. */
export const auditNouns = [
  { value: 'all', label: 'Everything' },
  { value: 'member', label: 'Members' },
  { value: 'invitation', label: 'Invitations' },
  { value: 'key', label: 'API keys' },
  { value: 'secret', label: 'Secrets' },
  { value: 'team', label: 'Team' },
  { value: 'quota', label: 'Quotas' },
  { value: 'run', label: 'Runs' },
  { value: 'workspace', label: 'Workspaces' },
  { value: 'agent', label: 'Agents' },
  { value: 'variable', label: 'Variables' },
  { value: 'skill', label: 'Skills' },
  { value: 'approval', label: 'Approvals' },
  { value: 'sign-in', label: 'Sign-ins' },
  { value: 'password', label: 'Passwords' },
] as const
