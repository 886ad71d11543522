-- The waits of a workspace that somebody has to answer, which consoles ask for again and again.
create index job_queue_for_people on job_queue (workspace, id) where kind = 8 and state = 5 and input ->> 'kind' <> 'signal';
