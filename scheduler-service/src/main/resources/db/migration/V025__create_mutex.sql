-- Mutexes of user code: a row stands for one that is held, or was until its time was over or its job ended. Time is the database's.
create sequence mutex_fence;

create table mutex (
    workspace text not null,
    name text not null check (length(name) between 1 and 256),
    -- the job that holds it, and the lease under which it took it
    bucket smallint not null,
    job_id uuid not null,
    lease_token bigint not null,
    -- one entry for each time that the job has taken it and not given it back
    holds uuid[] not null check (cardinality(holds) between 1 and 100),
    -- names the time from one change of hands to the next; grows, over all mutexes
    fence bigint not null,
    expires_at timestamptz not null,
    primary key (workspace, name)
);

create index mutex_expiry on mutex (expires_at);
