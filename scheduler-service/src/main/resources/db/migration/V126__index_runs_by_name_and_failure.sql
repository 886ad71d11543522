-- Lists of runs by name, and of those that did not succeed, the newest first. Without these indexes, a list that looks for few
-- runs among millions reads them all. Both indexes have one entry for each run, and none for the steps of flows; the second has
-- none for runs that succeeded, of which any list finds enough soon. Postgres only uses it for conditions in these words.
create index job_history_named_roots on job_history (workspace, name, id) where step_key = '';
create index job_history_unsuccessful_roots on job_history (workspace, id) where step_key = '' and status <> 1;
