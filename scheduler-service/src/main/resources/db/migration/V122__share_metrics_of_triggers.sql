-- What metrics show of triggers, alerts and readers of events.
alter table metric_snapshot drop constraint metric_snapshot_name_check;
alter table metric_snapshot add constraint metric_snapshot_name_check check (name in ('queue', 'tables', 'triggers'));

insert into metric_snapshot (name, taken_at, rows) values ('triggers', '-infinity', '[]');
