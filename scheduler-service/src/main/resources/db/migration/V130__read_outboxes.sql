-- How far a trigger has come in a table of another database, and which scheduler listens for it.
create table postgres_position (
    trigger_id uuid primary key references trigger (id) on delete cascade,
    -- connection, table and column, or the channel; where a trigger reads another one, it begins anew
    source text not null,
    -- number of the last row for which a start was noted; null before the trigger has begun
    last_id bigint,
    -- when a scheduler certainly listened to the channel the last time
    heard_at timestamptz,
    holder uuid not null,
    held_until timestamptz not null
);
