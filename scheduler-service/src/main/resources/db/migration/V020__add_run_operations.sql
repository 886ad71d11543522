-- 1 queued, 2 leased, 3 delayed until run_after, 4 flow in progress, 5 waits for events, 6 held because its run is paused
alter table job_queue drop constraint job_queue_state_check;
alter table job_queue add constraint job_queue_state_check check (state between 1 and 6);

-- Whether the run is paused: on all its rows, so that each row knows by itself where it goes when its delay or its lease ends.
alter table job_queue add column held boolean not null default false;
alter table job_queue add constraint held_jobs_are_of_a_paused_run check (state <> 6 or held);

-- What people and programs did to runs, and why: insert-only.
create table run_operation (
    run_id uuid not null,
    id uuid not null,
    -- name of the operation, for example pause
    operation text not null,
    -- who asked for it; empty where unknown
    actor text not null,
    reason text not null,
    details json not null,
    created_at timestamptz not null default now(),
    primary key (run_id, id)
);
