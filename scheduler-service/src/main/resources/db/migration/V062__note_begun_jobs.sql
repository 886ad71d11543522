-- The jobs that had begun, or may have, when the worker's stream ended: only these count a loss if the worker is lost. Null while the worker is
-- connected, and where its scheduler ended with it: then all its jobs count one.
alter table worker_session add column begun_jobs uuid[];
