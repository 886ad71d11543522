-- Triggers of events: runs that start when something happens in the workspace.
alter table trigger drop constraint trigger_kind_check;
alter table trigger add constraint trigger_kind_check
    check (kind in ('schedule', 'webhook', 'kafka', 'postgres', 'mqtt', 'event'));

-- Where a trigger begins: with the events of transactions from this one on.
create table event_trigger (
    trigger_id uuid primary key references trigger (id) on delete cascade,
    since_transaction bigint not null,
    -- the epoch of the event log to which the transaction belongs: events of a later one all come after it
    epoch int not null,
    -- a trigger that is resumed begins anew
    paused boolean not null default false
);

-- Where the triggers of a workspace stand in its events, and which scheduler reads them.
create table event_trigger_reader (
    workspace text primary key,
    position text not null,
    holder uuid,
    held_until timestamptz
);

-- How many triggers of events led to the run, one after another, and the run with which this began.
alter table trigger_start add column depth int not null default 0;
alter table trigger_start add column chain uuid;
create index trigger_start_chain on trigger_start (chain) where chain is not null;
create index trigger_start_depth on trigger_start ((coalesce(run_id, id))) where depth > 0;
