-- Until now, limit_key was both the limit on runs of a root and the queue of the limit that had released a job; and own_tag both the tag of a job
-- that waits for the worker of its group and that of one that waits for its limit. Each meaning gets a column of its own.
alter table job_queue
    -- of a job under a limit: the queue of its limit, whether it waits there or was released
    add column limit_queue text,
    -- of a job that waits there: the tag it asked for, and gets back when it is released
    add column released_tag text;

update job_queue set limit_queue = limit_key, limit_key = null where limit_key like '@limit/%';
update job_queue set limit_queue = tag, released_tag = own_tag, own_tag = null where own_tag is not null and tag like '@limit/%';

-- The jobs that a limit has released, to be counted. Such a row was in the index of limit_key until now.
create index job_queue_released on job_queue (limit_queue) where limit_queue is not null and released_tag is null;
