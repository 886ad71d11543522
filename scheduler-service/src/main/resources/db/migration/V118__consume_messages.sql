-- Triggers for which schedulers keep connections open.
create index trigger_active on trigger (kind, id) where paused_at is null and kind in ('kafka', 'postgres');

-- How far a trigger has come in a partition of a topic. Messages before it start nothing, however often they arrive.
create table kafka_position (
    trigger_id uuid not null references trigger (id) on delete cascade,
    -- of Kafka; a topic that is created again has another one
    topic_id uuid not null,
    partition_number integer not null,
    -- offset of the first message for which nothing was noted yet
    next_offset bigint not null,
    primary key (trigger_id, topic_id, partition_number)
);
