-- A UUID of version 7 with the present time, for rows that SQL makes.
create function event_id() returns uuid language sql volatile as $$
    select encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
        placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1), 'hex')::uuid
$$;

-- Orders the events of one transaction.
create sequence event_number;

-- Changes of state, for whoever follows them: insert-only, partitioned by the time inside the UUIDv7 id. Those of runs are
-- stored while somebody follows their workspace; all others always are.
create table event (
    id uuid not null default event_id(),
    -- the transaction that stored the event: readers go on in the order of commits
    transaction_id bigint not null default (pg_current_xact_id()::text::bigint),
    number bigint not null default nextval('event_number'),
    -- empty: a worker that serves all workspaces that are not isolated
    workspace text not null,
    type text not null check (length(type) between 1 and 64),
    run_id uuid,
    -- name of the run, path of the flow or script, or name of the worker
    name text not null,
    step_key text not null default '',
    detail json not null default '{}',
    created_at timestamptz not null default now()
) partition by range (id);

create table event_default partition of event default;
create index event_position on event (workspace, transaction_id, number);

-- Workspaces whose runs leave events.
create table event_recording (
    workspace text primary key,
    -- the event log has reached this generation with the row
    generation int not null,
    -- all events of transactions from this one on are stored; null until every scheduler records them
    since_transaction bigint,
    -- when the last reader is forgotten; null while a subscription needs the events
    until timestamptz
);
create index event_recording_until on event_recording (until);

create table event_log (
    id smallint primary key check (id = 1),
    -- counts the changes of event_recording
    generation int not null,
    -- counts the database servers on which the log was restored from another one: positions of other epochs mean nothing
    epoch int not null
);
insert into event_log (id, generation, epoch) values (1, 0, 1);
