-- Runs that deployments start, which lists hide or show: a check of types alone has a name of its own. The index
-- job_history_preparations is for schedulers of the version before, and goes one release later.
create index job_history_prepared on job_history (workspace, id)
    where step_key = '' and kind = 1 and (name like '% (packages)' or name like '% (types)' or name like '% (schema)');
