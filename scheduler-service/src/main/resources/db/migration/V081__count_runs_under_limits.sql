-- The runs in progress under a limit, which are counted whenever another one may begin: those that wait in the same queue are many more.
create index job_queue_in_progress on job_queue (limit_key) where state = 4 and limit_key is not null;
