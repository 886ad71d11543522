-- Runs that stay however old they become, until somebody unpins them. Sweeps lock this table against changes while they decide what goes.
create table pinned_run (
    run_id uuid primary key,
    workspace text not null,
    -- who pinned it, and why
    actor text not null,
    reason text not null,
    pinned_at timestamptz not null default now()
);

create index pinned_run_list on pinned_run (workspace, run_id);
