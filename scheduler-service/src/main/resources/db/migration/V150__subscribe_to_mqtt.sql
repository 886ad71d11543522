-- The session of a trigger at its broker, and which scheduler holds it.
create table mqtt_session (
    trigger_id uuid primary key references trigger (id) on delete cascade,
    -- client id and broker; where a trigger has another one, it begins anew
    source text not null,
    -- subscriptions that the session has at the broker: quality of service and filter
    subscriptions text[] not null default '{}',
    -- ids of messages of QoS 2 that were noted and that the broker may send again
    received integer[] not null default '{}',
    -- when a scheduler was certainly connected the last time
    heard_at timestamptz,
    holder uuid not null,
    held_until timestamptz not null
);

drop index trigger_active;
create index trigger_active on trigger (kind, id) where paused_at is null and kind in ('kafka', 'postgres', 'mqtt');
