-- A session ends when a scheduler says so, and not by the mere passing of its time: nobody can keep a session while no scheduler runs, or while
-- the database is away.
alter table worker_session add column ended_at timestamptz;

-- When a scheduler last kept sessions alive.
create table session_watch (
    id integer primary key check (id = 1),
    seen_at timestamptz not null
) with (fillfactor = 50);

insert into session_watch values (1, now());
