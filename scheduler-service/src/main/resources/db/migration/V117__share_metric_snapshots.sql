-- What metrics show of the whole database, so that all schedulers together count it once. The values are JSON arrays:
-- metric, labels, value.
create table metric_snapshot (
    name text primary key check (name in ('queue', 'tables')),
    taken_at timestamptz not null,
    rows json not null
);

insert into metric_snapshot (name, taken_at, rows) values ('queue', '-infinity', '[]'), ('tables', '-infinity', '[]');
