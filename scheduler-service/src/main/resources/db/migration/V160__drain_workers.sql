-- Since when a worker gets no more jobs because somebody drains it, who, and why; null for a worker that gets jobs. Then how
-- many per cent of the time of its slots had jobs lately; null until a scheduler has first kept the session alive.
alter table worker_session
    add column drained_at timestamptz,
    add column drain_actor text,
    add column drain_reason text,
    add column occupancy_15s smallint,
    add column occupancy_5min smallint,
    add column occupancy_30min smallint;
