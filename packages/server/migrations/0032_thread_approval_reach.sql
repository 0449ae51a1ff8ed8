-- What a person lets an agent do in a conversation is seen with the conversation.
ALTER POLICY of_team ON coherex.thread_approval USING (team_id = coherex.current_team() AND EXISTS (
  SELECT FROM coherex.thread WHERE thread.team_id = thread_approval.team_id AND thread.id = thread_approval.thread_id));
