import { hasRole, type InboxKind } from '@coherex/contract'
import { sql, type SQL } from 'drizzle-orm'
import type { TeamCaller } from '../../access/index.ts'

/** Where the items of one kind are: columns `id`, `at` and `facts`, and what must hold. */
export interface InboxSide {
  kind: InboxKind
  id: SQL
  at: SQL
  facts: SQL
  from: SQL
  where: SQL
}

// longer ago nobody comes back to it, and what a delivery held is no longer kept
const failureAge = sql`interval '30 days'`
const mostCounted = 100
const triggered = sql`turn.started_by->>'kind' IN ('schedule', 'webhook', 'event')`

/**
 * What waits for a person, kind by kind. Editors decide, so viewers see nothing. The transaction names the person: a
 * thread that they may not read is no row for them, and its title is left out.
 */
export function inboxSides(caller: Pick<TeamCaller, 'teamId' | 'role' | 'person'>): InboxSide[] {
  if (!hasRole(caller.role, 'editor')) return []
  const { teamId } = caller
  const personId = caller.person.id
  const isAdmin = hasRole(caller.role, 'admin')
  const dismissed = (subject: SQL) => sql`coalesce((
    SELECT until FROM coherex.inbox_dismissal AS dismissal
    WHERE dismissal.team_id = ${teamId} AND dismissal.person_id = ${personId} AND dismissal.subject = ${subject}), '')`
  const isFailed = sql`delivery.team_id = ${teamId} AND delivery.trigger_id = trigger.id
    AND delivery.status IN ('failed', 'refused') AND delivery.kind <> 'test'
    AND delivery.received_at > now() - ${failureAge} AND delivery.id > ${dismissed(sql`trigger.id`)}
    AND NOT EXISTS (SELECT 1 FROM coherex.delivery AS again
      WHERE again.team_id = ${teamId} AND again.redelivery_of = delivery.id)`

  return [
    {
      kind: 'approval',
      id: sql`approval.id`,
      at: sql`approval.created_at`,
      facts: sql`jsonb_build_object('agent', approval.agent_name, 'tool', approval.tool, 'isRepeat', approval.kind = 'repeat',
        'threadId', thread.id, 'threadTitle', thread.title,
        -- what is stored out of line is long: a list must not unpack all of it
        'input', CASE WHEN pg_column_size(approval.input) < 4000 THEN approval.input END)`,
      from: sql`coherex.approval LEFT JOIN coherex.thread
        ON thread.team_id = approval.team_id AND thread.id = coalesce(approval.root_thread_id, approval.thread_id)`,
      where: sql`approval.team_id = ${teamId} AND approval.status = 'pending' AND approval.expires_at > now()`,
    },
    {
      kind: 'file-proposal',
      id: sql`proposal.id`,
      at: sql`proposal.created_at`,
      facts: sql`jsonb_build_object('byKind', proposal.author->>'kind', 'by', proposal.author->>'name', 'path', proposal.path,
        'note', proposal.message, 'workspaceId', workspace.id, 'workspaceName', workspace.name)`,
      from: sql`coherex.workspace_proposal AS proposal JOIN coherex.workspace
        ON workspace.team_id = proposal.team_id AND workspace.id = proposal.workspace_id`,
      where: sql`proposal.team_id = ${teamId} AND proposal.status = 'open' AND workspace.archived_at IS NULL`,
    },
    {
      kind: 'definition-proposal',
      id: sql`'agent:' || version.agent_name || ':' || version.version`,
      at: sql`version.created_at`,
      facts: sql`jsonb_build_object('by', version.by_agent, 'person', version.created_by_name, 'name', version.agent_name,
        'version', version.version, 'note', version.note, 'threadId', thread.id, 'threadTitle', thread.title)`,
      from: sql`coherex.agent_version AS version LEFT JOIN coherex.thread
        ON thread.team_id = version.team_id AND thread.id = version.thread_id`,
      where: sql`version.team_id = ${teamId} AND version.state = 'proposed'`,
    },
    {
      kind: 'skill-review',
      id: sql`'skill:' || version.skill_name || ':' || version.version`,
      at: sql`version.created_at`,
      facts: sql`jsonb_build_object('by', version.agent_name, 'person', version.created_by_name, 'name', version.skill_name,
        'version', version.version, 'note', version.note, 'threadId', thread.id, 'threadTitle', thread.title)`,
      from: sql`coherex.skill_version AS version LEFT JOIN coherex.thread
        ON thread.team_id = version.team_id AND thread.id = version.thread_id`,
      where: sql`version.team_id = ${teamId} AND version.state = 'proposed'`,
    },
    {
      kind: 'mcp-review',
      id: sql`'mcp:' || waiting.server_name`,
      at: sql`waiting.at`,
      facts: sql`jsonb_build_object('name', waiting.server_name, 'count', waiting.count, 'isChange', waiting.is_change,
        'note', waiting.names)`,
      // a server whose tools nobody has chosen among yet, and what came or changed since
      from: sql`(SELECT tool.server_name, max(tool.changed_at) AS at, count(*) AS count,
          bool_or(tool.approved_hash IS NOT NULL) AS is_change, string_agg(tool.name, ', ' ORDER BY tool.name) AS names
        FROM coherex.mcp_tool AS tool JOIN coherex.mcp_server AS server
          ON server.team_id = tool.team_id AND server.name = tool.server_name
        WHERE tool.team_id = ${teamId} AND NOT tool.is_gone AND tool.problem IS NULL
          AND tool.approved_hash IS DISTINCT FROM tool.hash
          AND tool.changed_at > coalesce(server.decided_at, '-infinity')
        GROUP BY tool.server_name) AS waiting`,
      where: sql`${isAdmin}`,
    },
    {
      kind: 'tool-review',
      id: sql`'tool:' || version.tool_name || ':' || version.version`,
      at: sql`version.created_at`,
      facts: sql`jsonb_build_object('by', version.by_agent, 'person', version.created_by_name, 'name', version.tool_name,
        'version', version.version, 'note', version.note, 'threadId', thread.id, 'threadTitle', thread.title)`,
      from: sql`coherex.tool_version AS version
        JOIN coherex.tool ON tool.team_id = version.team_id AND tool.name = version.tool_name
          AND tool.newest_version = version.version
        JOIN coherex.tool_rule AS rule ON rule.team_id = version.team_id AND rule.tool_review = 'person'
        LEFT JOIN coherex.thread ON thread.team_id = version.team_id AND thread.id = version.thread_id`,
      // nobody reviews what they wrote, and one decision is enough
      where: sql`version.team_id = ${teamId} AND version.state = 'proposed' AND version.created_by <> ${personId}
        AND NOT EXISTS (SELECT 1 FROM coherex.tool_review AS review WHERE review.team_id = version.team_id
          AND review.tool_name = version.tool_name AND review.version = version.version AND review.decision <> 'comment')`,
    },
    {
      kind: 'given-up-turn',
      id: sql`turn.id`,
      at: sql`turn.ended_at`,
      facts: sql`jsonb_build_object('agent', turn.agent_name, 'reason', turn.ending->>'message', 'threadId', thread.id,
        'threadTitle', thread.title, 'triggerId', CASE WHEN ${triggered} THEN turn.started_by->>'id' END,
        'trigger', CASE WHEN ${triggered} THEN turn.started_by->>'name' END)`,
      from: sql`coherex.turn JOIN coherex.thread ON thread.team_id = turn.team_id AND thread.id = turn.thread_id`,
      // nobody sits before what a trigger began: there every failure counts
      where: sql`turn.team_id = ${teamId} AND turn.status = 'failed' AND turn.depth = 0
        AND turn.ended_at > now() - ${failureAge} AND (turn.ending->>'kind' = 'interrupted' OR ${triggered})
        AND (turn.person_id = ${personId} OR ${isAdmin} AND ${triggered})
        AND turn.id > ${dismissed(sql`turn.thread_id`)}
        AND NOT EXISTS (SELECT 1 FROM coherex.turn AS later WHERE later.team_id = turn.team_id
          AND later.thread_id = turn.thread_id AND later.created_at > turn.created_at)`,
    },
    {
      kind: 'failed-trigger',
      id: sql`failed.id`,
      at: sql`failed.received_at`,
      // counted for the rows of a page only
      facts: sql`jsonb_build_object('agent', trigger.agent_name, 'name', trigger.tool_name, 'trigger', trigger.name, 'triggerId', trigger.id,
        'reason', failed.reason, 'count', (SELECT count(*) FROM (
          SELECT 1 FROM coherex.delivery WHERE ${isFailed} LIMIT ${mostCounted}) AS one))`,
      // a trigger that fails every minute is one item; one whose agent was paused fails on purpose
      from: sql`coherex.trigger LEFT JOIN coherex.agent ON agent.team_id = trigger.team_id AND agent.name = trigger.agent_name
        LEFT JOIN coherex.tool ON tool.team_id = trigger.team_id AND tool.name = trigger.tool_name
        CROSS JOIN LATERAL (
          SELECT delivery.id, delivery.received_at, delivery.reason FROM coherex.delivery WHERE ${isFailed}
          ORDER BY delivery.id DESC LIMIT 1
        ) AS failed`,
      where: sql`trigger.team_id = ${teamId} AND (agent.status = 'active' OR tool.unpublished_at IS NULL AND tool.active_version IS NOT NULL)
        AND (trigger.person_id = ${personId} OR ${isAdmin})`,
    },
  ]
}
