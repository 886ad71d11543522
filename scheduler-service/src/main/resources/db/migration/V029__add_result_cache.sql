-- Results kept for steps and flows that ask for it: key is a SHA-256 over what ran and what it was given.
create table result_cache (
    workspace text not null,
    key bytea not null check (length(key) = 32),
    result json not null,
    expires_at timestamptz not null,
    primary key (workspace, key)
);

create index result_cache_expiry on result_cache (expires_at);

-- Live steps whose result is to be kept, from the transaction that puts their job into the queue to the one in which they succeed.
create table result_cache_call (
    bucket smallint not null,
    run_id uuid not null,
    step_key text not null,
    workspace text not null,
    key bytea not null,
    ttl_millis bigint not null check (ttl_millis > 0),
    created_at timestamptz not null default now(),
    primary key (bucket, run_id, step_key)
);

create index result_cache_call_age on result_cache_call (created_at);

-- Whether the result was taken from the cache, and nothing ran.
alter table job_history add column from_cache boolean not null default false;
