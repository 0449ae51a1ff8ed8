-- The notebook of a sandbox: texts in an order, each with the run whose output it shows. Runs themselves stay in coherex.run.
CREATE TABLE coherex.notebook_cell (
  team_id text NOT NULL,
  sandbox_id text NOT NULL,
  id text NOT NULL,
  position integer NOT NULL,
  kind text NOT NULL CHECK (kind IN ('code', 'markdown')),
  language text,
  source text NOT NULL,
  run_id text,
  is_collapsed boolean NOT NULL DEFAULT false,
  updated_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (team_id, sandbox_id, id),
  FOREIGN KEY (team_id, sandbox_id) REFERENCES coherex.sandbox ON DELETE CASCADE,
  FOREIGN KEY (team_id, run_id) REFERENCES coherex.run ON DELETE SET NULL (run_id)
);
CREATE INDEX notebook_cell_run ON coherex.notebook_cell (team_id, run_id) WHERE run_id IS NOT NULL;

-- Which cell made the variables: run again, it takes the place of what it was before.
ALTER TABLE coherex.sandbox_cell ADD COLUMN cell_id text;
ALTER TABLE coherex.sandbox_cell
  ADD FOREIGN KEY (team_id, sandbox_id, cell_id) REFERENCES coherex.notebook_cell ON DELETE CASCADE;
CREATE INDEX sandbox_cell_of ON coherex.sandbox_cell (team_id, sandbox_id, cell_id);

-- row-level security would hide the rows from their owner
ALTER TABLE coherex.run NO FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.program NO FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.sandbox NO FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.sandbox_cell NO FORCE ROW LEVEL SECURITY;
INSERT INTO coherex.notebook_cell (team_id, sandbox_id, id, position, kind, language, source, run_id, updated_at)
SELECT team_id, sandbox_id, 'cel_' || substr(run_id, 5), number, 'code', language, code, run_id, created_at
FROM (
  SELECT run.team_id, sandbox.id AS sandbox_id, run.id AS run_id, run.language, program.code, run.created_at,
    row_number() OVER newest AS age, row_number() OVER (PARTITION BY run.team_id, sandbox.id ORDER BY run.id) AS number
  FROM coherex.run
  JOIN coherex.sandbox ON sandbox.team_id = run.team_id AND sandbox.id = run.request->>'sandboxId' AND sandbox.status <> 'ended'
  JOIN coherex.program ON program.team_id = run.team_id AND program.hash = run.program_hash
  WHERE length(program.code) <= 20000
  WINDOW newest AS (PARTITION BY run.team_id, sandbox.id ORDER BY run.id DESC)
) AS past WHERE age <= 500;
UPDATE coherex.sandbox_cell SET cell_id = notebook_cell.id FROM coherex.notebook_cell
WHERE notebook_cell.team_id = sandbox_cell.team_id AND notebook_cell.sandbox_id = sandbox_cell.sandbox_id
  AND notebook_cell.run_id = sandbox_cell.run_id;
ALTER TABLE coherex.sandbox_cell FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.sandbox FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.program FORCE ROW LEVEL SECURITY;
ALTER TABLE coherex.run FORCE ROW LEVEL SECURITY;

ALTER TABLE coherex.notebook_cell ENABLE ROW LEVEL SECURITY;
ALTER TABLE coherex.notebook_cell FORCE ROW LEVEL SECURITY;
-- whoever sees the sandbox sees its notebook
CREATE POLICY of_team ON coherex.notebook_cell
  USING (team_id = coherex.current_team() AND EXISTS (
    SELECT FROM coherex.sandbox WHERE sandbox.team_id = notebook_cell.team_id AND sandbox.id = notebook_cell.sandbox_id))
  WITH CHECK (team_id = coherex.current_team());
GRANT SELECT, INSERT, UPDATE, DELETE ON coherex.notebook_cell TO :app_role;
