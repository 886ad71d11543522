-- Operations on many runs at once: accepted together with the list of runs, worked off in batches by whichever scheduler is free.
create table bulk_operation (
    id uuid primary key,
    workspace text not null,
    -- cancel, pause, resume, retry, skip_step, restart or rerun_from
    operation text not null,
    -- of skip_step and rerun_from; empty for none
    step_key text not null,
    -- of skip_step
    result json,
    actor text not null,
    reason text not null,
    -- the caller's name for it, so that it begins once however often it is asked for; empty for none
    request_id text not null check (length(request_id) <= 128),
    -- SHA-256 of the request, to refuse another content under the same id
    fingerprint text not null,
    -- 1 running, 2 ended, 3 being cancelled, 4 cancelled
    state smallint not null check (state between 1 and 4),
    total integer not null check (total >= 0),
    -- who cancelled it, and why; empty while nobody has
    cancel_actor text not null default '',
    cancel_reason text not null default '',
    created_at timestamptz not null default now(),
    ended_at timestamptz,
    constraint ended_operations_have_an_end check ((ended_at is not null) = (state in (2, 4)))
);

create unique index bulk_operation_request on bulk_operation (workspace, request_id) where request_id <> '';
create index bulk_operation_list on bulk_operation (workspace, id);
create index bulk_operation_ended on bulk_operation (ended_at) where ended_at is not null;

create table bulk_item (
    bulk_id uuid not null references bulk_operation on delete cascade,
    run_id uuid not null,
    -- 1 waiting, 2 done, 3 failed, 4 left out because the operation was cancelled
    state smallint not null check (state between 1 and 4),
    -- a scheduler works on it until then; whoever comes later does it again under the same request id, which changes nothing
    claimed_until timestamptz,
    -- why it failed
    error_code text,
    error_message text,
    -- the run that restart or rerun_from has begun
    new_run_id uuid,
    primary key (bulk_id, run_id),
    constraint failures_have_a_reason check ((state = 3) = (error_code is not null and error_message is not null))
);

create index bulk_item_waiting on bulk_item (bulk_id, run_id) where state = 1;
create index bulk_item_state on bulk_item (bulk_id, state);
