-- The turns that the inbox asks for, and no others that failed: a team whose models often fail has many of those.
CREATE INDEX turn_given_up ON coherex.turn (team_id, ended_at DESC, id DESC)
  WHERE status = 'failed' AND depth = 0
    AND (ending->>'kind' = 'interrupted' OR started_by->>'kind' IN ('schedule', 'webhook', 'event'));
DROP INDEX coherex.turn_failed;
