-- The token with which the run was started, whose rights its jobs have; null if that was somebody without a token, and for
-- runs that were started before tokens were kept.
alter table run_option add column starter_credential uuid;
