-- Messages of topics of Kafka for event handlers.

-- null for a message of a topic, which no run has published
alter table event_execution alter column run_id drop not null;
-- topic, partition and offset of a message of a topic
alter table event_execution add column source text not null default '';
create index event_execution_unfinished on event_execution (handler_id) where claimed_until is not null;
create index event_handler_topic on event_handler (created_at, id) where active and event like 'kafka:%';

-- How far a handler has come in a partition of a topic. It gets no message before that, however often they arrive.
create table event_handler_position (
    handler_id uuid not null references event_handler (id) on delete cascade,
    -- of Kafka; a topic that is created again has another one
    topic_id uuid not null,
    partition_number integer not null,
    -- offset of the first message that was not noted yet
    next_offset bigint not null,
    primary key (handler_id, topic_id, partition_number)
);
