-- 15: a step that waits for the end of a run of its own. Its target is the id of that run.
alter table job_queue drop constraint only_waits_wait_for_events;
alter table job_queue add constraint only_waits_wait_for_events check (state <> 5 or kind in (8, 15));

-- Of a run for whose end another one waits (relation child_run): the row that waits, and how many runs above it wait for one another.
alter table run_origin
    add column wait_id uuid,
    add column depth smallint not null default 0,
    add constraint awaited_runs_have_a_wait check ((relation = 'child_run') = (wait_id is not null));

-- What is still to be done about a run that another one waits for, or waited for: from the transaction that brings it about until it is done.
create table child_note (
    child_run_id uuid not null,
    -- 1 it has ended: the other run is to be told; 2 nobody waits for it any more: it is to be cancelled
    kind smallint not null check (kind between 1 and 2),
    parent_run_id uuid not null,
    -- of the step that waits, or waited
    step_key text not null,
    wait_id uuid not null,
    created_at timestamptz not null default now(),
    primary key (child_run_id, kind)
);
