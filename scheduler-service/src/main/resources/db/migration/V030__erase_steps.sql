-- Whether result and input were taken away after the run, because the flow asked for it.
alter table job_history add column erased boolean not null default false;

-- Runs that have ended and of whose steps nothing is to be kept: logs may still come for a while.
create table erased_run (
    run_id uuid primary key,
    -- regular expressions for the keys of the steps
    step_keys text[] not null,
    ended_at timestamptz not null default now()
);
