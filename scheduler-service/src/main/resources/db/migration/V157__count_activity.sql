-- What workspaces did in a minute. All schedulers add to the same row.
create table activity_minute (
    minute timestamptz not null,
    workspace text not null,
    accepted bigint not null,
    succeeded bigint not null,
    failed bigint not null,
    canceled bigint not null,
    -- number of jobs by how long they waited, see WaitHistogram
    waits bigint[] not null,
    primary key (minute, workspace)
);
