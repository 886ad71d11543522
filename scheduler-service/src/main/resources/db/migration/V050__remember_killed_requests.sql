-- Evaluations that ended their process each time they were tried: no scheduler tries them again for a while.
create table killed_request (
    -- hash of the program and of what it read
    key bytea primary key,
    reason text not null,
    killed_at timestamptz not null default now()
);
create index killed_request_by_time on killed_request (killed_at);
