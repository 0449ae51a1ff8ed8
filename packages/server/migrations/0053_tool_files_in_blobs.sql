-- Files of tool versions are blobs, named by hash. Rows from before hold their bytes until the server's next start puts them there.
ALTER TABLE coherex.tool_file
  ADD COLUMN hash text,
  ALTER COLUMN bytes DROP NOT NULL,
  ADD CHECK (num_nonnulls(hash, bytes) = 1);
CREATE INDEX tool_file_hash ON coherex.tool_file (team_id, hash);
CREATE INDEX tool_file_bytes ON coherex.tool_file (team_id) WHERE bytes IS NOT NULL;

GRANT UPDATE (hash, bytes) ON coherex.tool_file TO :app_role;
