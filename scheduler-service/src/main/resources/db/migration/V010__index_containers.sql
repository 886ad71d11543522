-- A container of a flow leaves a row when it begins (its key ends in #open) and one when it ends. Readers look for those still open.
create index job_history_containers on job_history (run_id, step_key) where kind in (4, 5);
