-- Runs that jobs have started, so that a job whose attempt is repeated starts none twice.
create table job_started_run (
    -- the run of the job
    run_id uuid not null,
    job_id uuid not null,
    -- what the job calls the start
    start_key text not null check (length(start_key) between 1 and 200),
    -- the attempt that started the run
    attempt int not null,
    -- noted before the run is accepted, so it may not exist yet
    started_run_id uuid not null,
    primary key (job_id, start_key)
);
create index job_started_run_run on job_started_run (run_id);
