-- Log chunks as they arrived: insert-only, one row a chunk. A chunk that a worker sends again changes nothing.
create table job_log (
    run_id uuid not null,
    job_id uuid not null,
    step_key text not null,
    attempt integer not null,
    -- 1 stdout, 2 stderr, 3 system
    stream smallint not null check (stream between 1 and 3),
    -- position within the attempt and stream; system chunks of the scheduler count on their own
    sequence bigint not null,
    -- order of arrival
    position bigint generated always as identity,
    text text not null,
    time timestamptz not null default now(),
    primary key (job_id, attempt, stream, sequence)
);

create index job_log_run on job_log (run_id, position);
