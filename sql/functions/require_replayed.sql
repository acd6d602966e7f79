-- Raises an error unless this server is a standby that has replayed a position of the primary's write-ahead log. It is called at the
-- beginning of a read, so that the rest of its batch is not carried out. Statements after it see what has been replayed only if each
-- of them takes a snapshot of its own.
CREATE OR REPLACE FUNCTION trellis.require_replayed(p_position pg_lsn) RETURNS boolean
  LANGUAGE plpgsql VOLATILE PARALLEL RESTRICTED
  AS $$
BEGIN
  IF pg_is_in_recovery() AND pg_last_wal_replay_lsn() >= p_position
    AND current_setting('transaction_isolation') = 'read committed' THEN
    RETURN true;
  END IF;
  RAISE EXCEPTION 'the position has not been replayed here' USING ERRCODE = 'TR001';
END $$;
