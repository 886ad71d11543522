-- How the root job of a run was queued and run, so that the run can be put back or begun anew; null for steps.
alter table job_history add column priority smallint;
alter table job_history add column timeout_millis bigint;
alter table job_history add column retry json;

-- The caller's name for an operation, so that it happens once however often it is asked for; empty for none.
alter table run_operation add column request_id text not null default '' check (length(request_id) <= 128);
create unique index run_operation_request on run_operation (run_id, request_id) where request_id <> '';

-- Where a run comes from that another run or an operation has begun.
create table run_origin (
    run_id uuid primary key,
    -- the run it comes from
    origin_run_id uuid not null,
    -- restart, rerun_from, start_run or failure_flow
    relation text not null,
    -- the step of that run it began at, or was begun by; empty for none
    step_key text not null
);
