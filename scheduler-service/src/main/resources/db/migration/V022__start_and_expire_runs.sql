-- 1 queued, 2 leased, 3 delayed until run_after, 4 flow in progress, 5 waits for events, 6 held because its run is paused,
-- 7 root of a run that a scheduler has yet to start
alter table job_queue drop constraint job_queue_state_check;
alter table job_queue add constraint job_queue_state_check check (state between 1 and 7);

-- Runs that share a limit on how many go on at a time: present on their roots only.
alter table job_queue add column limit_key text;

create index job_queue_to_start on job_queue (order_key, id) where state = 7;
create index job_queue_limited on job_queue (limit_key, order_key, id) where limit_key is not null;
-- A flow in progress keeps the end of its time in run_after.
create index job_queue_deadlines on job_queue (run_after) where state = 4 and run_after is not null;
