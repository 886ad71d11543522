-- A job under a limit waits in line under a tag that names the line, with its own tag beside it, until it is let go: it then has its own tag again,
-- and the name of the line in limit_key. Other jobs have none of these.
alter table job_queue
    -- most jobs of the line that are let go at a time
    add column limit_max integer,
    -- how many of them may begin in a time of limit_millis
    add column limit_count integer,
    add column limit_millis bigint,
    add constraint rates_have_a_time check ((limit_count is null) = (limit_millis is null));

-- Jobs with a rate that were let go: each counts against the rate of its line from then on, and for some time from its begin.
create table limited_begin (
    id bigint generated always as identity primary key,
    limit_key text not null,
    bucket smallint not null,
    job_id uuid not null,
    -- when it was first seen to be with a worker, or gone; infinity before
    begun_at timestamptz not null default 'infinity',
    -- how long it counts after that: the longest time that a job of the line has asked for of late
    window_millis bigint not null,
    expires_at timestamptz not null default 'infinity'
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000);

create index limited_begin_line on limited_begin (limit_key, begun_at desc);
create index limited_begin_expiry on limited_begin (expires_at);
