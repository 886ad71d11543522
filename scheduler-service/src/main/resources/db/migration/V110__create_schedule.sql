-- Where a schedule stands. Its timing is in the settings of its trigger.
create table schedule (
    trigger_id uuid primary key references trigger (id) on delete cascade,
    -- the first tick that was not decided on; null if there is none
    next_tick timestamptz,
    -- when a scheduler has to look at it; null for never
    wake_at timestamptz,
    -- the newest occurrence that started a run by a tick
    last_occurrence text,
    -- number of ticks that wait for the end of a run
    waiting int not null default 0
);
create index schedule_wake on schedule (wake_at) where wake_at is not null;

create index trigger_start_waiting on trigger_start (trigger_id, id) where state = 1;

-- Runs of the ticks of a range.
create table schedule_backfill (
    id uuid primary key,
    trigger_id uuid not null references trigger (id) on delete cascade,
    from_time timestamptz not null,
    to_time timestamptz not null,
    -- the first tick that was not started; null after the last one
    next_tick timestamptz,
    parallel_max int not null,
    total int not null,
    started int not null default 0,
    -- names of the starts whose runs may be in progress
    live text[] not null default '{}',
    actor text not null,
    created_at timestamptz not null default now(),
    -- when a scheduler has to look at it; null once it has ended
    wake_at timestamptz default now(),
    ended_at timestamptz
);
create index schedule_backfill_wake on schedule_backfill (wake_at) where wake_at is not null;
create index schedule_backfill_trigger on schedule_backfill (trigger_id, id);
create index schedule_backfill_ended on schedule_backfill (ended_at);
