-- Conversations have a reach. Private is held here: what belongs to a private thread is seen by its author alone, whatever asks for it.
ALTER TABLE coherex.thread
  -- who alone sees it, with everything that belongs to it; null is the team
  ADD COLUMN private_to text,
  -- what began it
  ADD COLUMN origin text NOT NULL DEFAULT 'person' CHECK (origin IN ('person', 'key', 'trigger', 'agent')),
  ADD COLUMN is_archived boolean NOT NULL DEFAULT false,
  -- one that an agent began is its asker's; nobody takes another's for themselves
  ADD CONSTRAINT private_to_author CHECK (private_to IS NULL OR private_to = person_id OR parent_turn_id IS NOT NULL);
CREATE INDEX thread_of_person ON coherex.thread (team_id, person_id, pinned DESC, updated_at DESC, id DESC);

-- the thread whose agent began it, or in whose sandbox it is: a private thread's are private too
ALTER TABLE coherex.run ADD COLUMN thread_id text;
CREATE INDEX run_of_thread ON coherex.run (team_id, thread_id) WHERE thread_id IS NOT NULL;
ALTER TABLE coherex.sandbox ADD COLUMN thread_id text;
CREATE INDEX sandbox_of_thread ON coherex.sandbox (team_id, thread_id) WHERE thread_id IS NOT NULL;

-- row-level security would hide the rows from their owner
ALTER TABLE coherex.thread NO FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.turn NO FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.delivery NO FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.run NO FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.sandbox NO FORCE ROW LEVEL SECURITY;
UPDATE coherex.thread SET origin = 'agent' WHERE parent_turn_id IS NOT NULL;
UPDATE coherex.thread SET origin = 'trigger' FROM coherex.delivery
WHERE delivery.team_id = thread.team_id AND delivery.thread_id = thread.id AND thread.origin = 'person';
UPDATE coherex.thread SET origin = 'key' FROM (
  SELECT DISTINCT ON (team_id, thread_id) team_id, thread_id, started_by->>'kind' AS kind
  FROM coherex.turn ORDER BY team_id, thread_id, created_at, id
) AS first
WHERE first.team_id = thread.team_id AND first.thread_id = thread.id AND first.kind = 'key' AND thread.origin = 'person';
UPDATE coherex.sandbox SET thread_id = thread.id FROM coherex.thread
WHERE thread.team_id = sandbox.team_id AND thread.sandbox_id = sandbox.id;
UPDATE coherex.run SET thread_id = turn.thread_id FROM coherex.turn
WHERE run.started_by->>'kind' = 'agent' AND turn.team_id = run.team_id AND turn.id = run.started_by->>'id';
UPDATE coherex.run SET thread_id = sandbox.thread_id FROM coherex.sandbox
WHERE run.thread_id IS NULL AND sandbox.team_id = run.team_id AND sandbox.id = run.request->>'sandboxId';
ALTER TABLE coherex.sandbox FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.run FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.delivery FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.turn FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.thread FORCE ROW LEVEL SECURITY;

-- Whether the work under way may see what is private to someone: it is done for them, or it is the server's own bookkeeping.
CREATE FUNCTION coherex.sees(private_to text) RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT private_to IS NULL OR private_to = coherex.current_person() OR current_setting('app.scope', true) = 'upkeep' $$;
CREATE FUNCTION coherex.is_admin() RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT EXISTS (
    SELECT FROM coherex.member
    WHERE member.team_id = coherex.current_team() AND member.person_id = coherex.current_person() AND member.role IN ('admin', 'owner')
  ) $$;

-- Written as well as read: only its author makes a thread private, or shares it.
ALTER POLICY of_team ON coherex.thread
  USING (team_id = coherex.current_team() AND coherex.sees(private_to))
  WITH CHECK (team_id = coherex.current_team() AND coherex.sees(private_to));

-- What belongs to a thread is seen with it: the policies of the tables asked here hold inside these too.
ALTER POLICY of_team ON coherex.message USING (team_id = coherex.current_team() AND EXISTS (
  SELECT FROM coherex.thread WHERE thread.team_id = message.team_id AND thread.id = message.thread_id));
ALTER POLICY of_team ON coherex.turn USING (team_id = coherex.current_team() AND EXISTS (
  SELECT FROM coherex.thread WHERE thread.team_id = turn.team_id AND thread.id = turn.thread_id));
ALTER POLICY of_team ON coherex.run USING (team_id = coherex.current_team() AND (thread_id IS NULL OR EXISTS (
  SELECT FROM coherex.thread WHERE thread.team_id = run.team_id AND thread.id = run.thread_id)));
ALTER POLICY of_team ON coherex.sandbox USING (team_id = coherex.current_team() AND (thread_id IS NULL OR EXISTS (
  SELECT FROM coherex.thread WHERE thread.team_id = sandbox.team_id AND thread.id = sandbox.thread_id)));
-- whoever is asked sees the call until it is answered, and what they answered; not the conversation
ALTER POLICY of_team ON coherex.approval USING (team_id = coherex.current_team() AND (
  EXISTS (SELECT FROM coherex.thread WHERE thread.team_id = approval.team_id AND thread.id = approval.thread_id)
  OR ((status = 'pending' OR decided_by = coherex.current_person()) AND coherex.is_admin())));

DO $$
DECLARE
  name text;
BEGIN
  FOREACH name IN ARRAY ARRAY['turn_step', 'turn_chunk', 'turn_call', 'turn_history', 'wake'] LOOP
    EXECUTE format('ALTER POLICY of_team ON coherex.%1$I USING (team_id = coherex.current_team() AND EXISTS (
      SELECT FROM coherex.turn WHERE turn.team_id = %1$I.team_id AND turn.id = %1$I.turn_id))', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['agent_program', 'agent_program_call'] LOOP
    EXECUTE format('ALTER POLICY of_team ON coherex.%1$I USING (team_id = coherex.current_team() AND EXISTS (
      SELECT FROM coherex.message WHERE message.team_id = %1$I.team_id AND message.id = %1$I.answer_id))', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['run_file', 'run_output'] LOOP
    EXECUTE format('ALTER POLICY of_team ON coherex.%1$I USING (team_id = coherex.current_team() AND EXISTS (
      SELECT FROM coherex.run WHERE run.team_id = %1$I.team_id AND run.id = %1$I.run_id))', name);
  END LOOP;
  FOREACH name IN ARRAY ARRAY['sandbox_file', 'sandbox_cell'] LOOP
    EXECUTE format('ALTER POLICY of_team ON coherex.%1$I USING (team_id = coherex.current_team() AND EXISTS (
      SELECT FROM coherex.sandbox WHERE sandbox.team_id = %1$I.team_id AND sandbox.id = %1$I.sandbox_id))', name);
  END LOOP;
END $$;

-- The person is named in a team's transactions from now on: their other teams are seen only where no team is.
ALTER POLICY own_membership ON coherex.member
  USING (person_id = coherex.current_person() AND coherex.current_team() IS NULL);
ALTER POLICY own_team ON coherex.team USING (coherex.current_team() IS NULL AND EXISTS (
  SELECT FROM coherex.member WHERE member.team_id = team.team_id AND member.person_id = coherex.current_person()));
