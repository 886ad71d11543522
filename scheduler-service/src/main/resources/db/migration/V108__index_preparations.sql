-- Runs that deployments start, which lists hide or show: runs of scripts under a name that no script has. They are few, so
-- the index is small, and rows of other runs cost it nothing.
create index job_history_preparations on job_history (workspace, id)
    where step_key = '' and kind = 1 and (name like '% (packages)' or name like '% (schema)');
