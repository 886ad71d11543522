-- Handlers of events: what is done with messages that steps publish.
create table event_handler (
    id uuid primary key,
    workspace text not null,
    path text not null,
    -- the event whose messages it gets
    event text not null,
    active boolean not null,
    -- as its author wrote it, JSON
    definition text not null,
    -- who created or last changed it, and the token whose rights it has; null for somebody without a token
    actor text not null,
    credential_id uuid,
    version bigint not null default 1,
    created_at timestamptz not null default now(),
    changed_at timestamptz not null default now(),
    unique (workspace, path)
);
create index event_handler_event on event_handler (workspace, event);

-- What handlers do with messages: a row for each action, numbered from 0. The first row is there with the message.
create table event_execution (
    id uuid not null default event_id(),
    handler_id uuid not null,
    -- the step that has published the message
    message_id uuid not null,
    number int not null default 0,
    workspace text not null,
    event text not null,
    -- the run that has published the message, and its name
    run_id uuid not null,
    run_name text not null,
    state smallint not null,
    -- until it is decided what is done with it
    message text,
    action text not null default '',
    -- what the action does, JSON, until it is done
    plan text,
    -- the run that the action starts
    started_run uuid,
    reason text not null default '',
    -- how many handlers led to it, one after another, and the first run of them
    depth int not null default 0,
    chain uuid,
    noted_at timestamptz not null default now(),
    ended_at timestamptz,
    -- until when other schedulers leave it alone; null once it has ended
    claimed_until timestamptz,
    primary key (handler_id, message_id, number)
);
create index event_execution_claimed on event_execution (claimed_until) where claimed_until is not null;
create index event_execution_history on event_execution (handler_id, id);
create index event_execution_noted on event_execution (noted_at);
create index event_execution_workspace on event_execution (workspace);
create index event_execution_started on event_execution (started_run) where started_run is not null;
create index event_execution_chain on event_execution (chain) where chain is not null;

-- 4 fails the wait: sent by handlers of events only
alter table signal drop constraint signal_kind_check;
alter table signal add constraint signal_kind_check check (kind between 1 and 4);
