-- The transaction that stored the event. An export goes on in this order, because the id of an event is as old as its call,
-- which may be older than events that were stored earlier. Later changes of an event keep its transaction. 0 stands for the
-- transactions of another database server, from which the rows were restored.
alter table audit_event add column transaction_id bigint not null default (pg_current_xact_id()::text::bigint);
create index audit_event_transaction on audit_event (transaction_id, id);
