-- What starts runs by itself: schedules, webhooks, consumers of messages. Each kind keeps its own state in a table of its own.
create table trigger (
    id uuid primary key,
    workspace text not null,
    kind text not null check (kind in ('schedule', 'webhook', 'kafka', 'postgres', 'mqtt')),
    path text not null,
    -- raised by each change
    version bigint not null,
    -- what it starts: a message millrace.run.v1.RunSpec
    template bytea not null,
    -- what the kind needs to know: a message of the kind
    settings bytea not null,
    description text not null,
    -- path of the flow whose file declares it; null if nobody but its author keeps it
    flow_path text,
    paused_at timestamptz,
    -- who created or last changed it, and the token whose rights it has; null for somebody without a token
    actor text not null,
    credential_id uuid,
    created_at timestamptz not null default now(),
    changed_at timestamptz not null default now(),
    unique (workspace, kind, path)
);
create index trigger_flow on trigger (workspace, flow_path) where flow_path is not null;

-- A row for each change.
create table trigger_version (
    trigger_id uuid not null references trigger (id) on delete cascade,
    version bigint not null,
    change text not null check (change in ('create', 'update', 'pause', 'resume')),
    template bytea not null,
    settings bytea not null,
    actor text not null,
    changed_at timestamptz not null default now(),
    primary key (trigger_id, version)
);

-- What triggers have started, and what they have not started, and why.
create table trigger_start (
    trigger_id uuid not null references trigger (id) on delete cascade,
    -- names what happened, so that it starts one run: a tick, a message, a delivery
    occurrence text not null check (length(occurrence) between 1 and 300),
    workspace text not null,
    -- the run gets this id, unless the flow merges submissions
    id uuid not null,
    state smallint not null,
    -- the run that was accepted
    run_id uuid,
    -- a run that is canceled before
    cancels uuid,
    -- replaces the input of the template; kept until the run is accepted or refused
    input text,
    reason text not null default '',
    -- when it happened
    occurred_at timestamptz not null,
    noted_at timestamptz not null default now(),
    -- until when other schedulers leave a claimed row alone
    claimed_until timestamptz,
    primary key (trigger_id, occurrence)
);
create index trigger_start_claimed on trigger_start (claimed_until) where claimed_until is not null;
create index trigger_start_history on trigger_start (trigger_id, id);
create index trigger_start_noted on trigger_start (noted_at);

-- Rights of triggers are those of a token that nobody can show.
create index credential_standing on credential (principal_id, name) where ended_at is null;
