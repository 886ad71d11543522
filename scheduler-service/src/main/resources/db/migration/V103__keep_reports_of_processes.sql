-- The last report of a worker about its processes for scripts, a ProcessReport in the format of the wire. Null if it has sent none.
alter table worker_session add column processes bytea;
