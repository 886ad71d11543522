-- In the queue: 1 script, 2 handler, 3 flow, 8 wait, 13 start_run.
alter table job_queue drop constraint job_queue_kind_check;
alter table job_queue add constraint job_queue_kind_check check (kind in (1, 2, 3, 8, 13));

-- In the history: 1 script, 2 handler, 3 flow, 4 for_each, 5 switch, 6 while, 7 parallel, 8 wait, 9 compute, 10 set_variables,
-- 11 terminate, 12 sub_flow, 13 start_run, 14 reset.
alter table job_history drop constraint job_history_kind_check;
alter table job_history add constraint job_history_kind_check check (kind between 1 and 14);

-- The containers among them.
drop index job_history_containers;
create index job_history_containers on job_history (run_id, step_key) where kind in (4, 5, 6, 7, 12);
