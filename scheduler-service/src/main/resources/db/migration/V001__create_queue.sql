-- Live jobs: small rows, inserted and deleted, almost never updated. `bucket` is the low ten bits of every id of a run, so that
-- each hot statement can be confined to buckets (and, on a cluster, to shards).
create table job_queue (
    bucket smallint not null check (bucket between 0 and 1023),
    id uuid not null,
    run_id uuid not null,
    workspace text not null,
    -- 1 script, 2 handler, 3 flow (the root job of a run of a flow)
    kind smallint not null check (kind between 1 and 3),
    -- hash of the script or flow version, or name of the handler
    target text not null,
    -- path of the script or flow, for people
    name text not null,
    -- place in the flow; empty for the root job
    step_key text not null,
    tag text not null,
    priority smallint not null check (priority between -1000 and 1000),
    -- grows with the time at which the run was accepted: runs that began earlier finish earlier
    order_key bigint not null,
    -- 1 queued, 2 leased, 3 delayed until run_after, 4 flow in progress
    state smallint not null check (state between 1 and 4),
    run_after timestamptz,
    session_id uuid,
    lease_token bigint,
    attempt integer not null default 1 check (attempt >= 1),
    -- leases that ended because the worker was lost
    losses smallint not null default 0 check (losses >= 0),
    -- of a flow: how many transitions it has made; guards cached state
    version bigint not null default 0,
    timeout_millis bigint not null check (timeout_millis > 0),
    -- retry policy as JSON; null for none
    retry json,
    input json not null,
    traceparent text not null default '',
    created_at timestamptz not null default now(),
    primary key (bucket, id),
    constraint leased_jobs_have_a_lease check ((state = 2) = (lease_token is not null and session_id is not null)),
    constraint delayed_jobs_have_a_time check (state <> 3 or run_after is not null)
) with (fillfactor = 85, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 2000, autovacuum_vacuum_cost_delay = 0);

create index job_queue_claimable on job_queue (tag, priority desc, order_key, id) where state = 1;
create index job_queue_delayed on job_queue (run_after) where state = 3;
create index job_queue_run on job_queue (run_id);
create index job_queue_session on job_queue (session_id) where state = 2;

-- Finished jobs and the steps that needed no worker: insert-only, and the journal of flows. Partitioned by the time inside the
-- UUIDv7 id, so that the key keeps "exactly one terminal record" across partitions; maintenance adds a partition a day ahead.
create table job_history (
    bucket smallint not null,
    id uuid not null,
    run_id uuid not null,
    workspace text not null,
    -- 1 script, 2 handler, 3 flow, 4 for_each, 5 switch
    kind smallint not null check (kind between 1 and 5),
    target text not null,
    name text not null,
    step_key text not null,
    tag text not null,
    -- 1 succeeded, 2 failed, 3 canceled, 4 skipped
    status smallint not null check (status between 1 and 4),
    attempt integer not null,
    session_id uuid,
    worker_name text not null default '',
    lease_token bigint,
    input json,
    result json,
    error_name text,
    error_message text,
    error_stack text,
    traceparent text not null default '',
    created_at timestamptz not null,
    started_at timestamptz,
    ended_at timestamptz not null,
    primary key (bucket, id),
    constraint failures_have_an_error check ((status in (2, 3)) = (error_name is not null))
) partition by range (id);

create table job_history_default partition of job_history default;
create index job_history_run on job_history (run_id, ended_at);
create index job_history_roots on job_history (workspace, id) where step_key = '';

-- One row for each request id: a repeated submit finds the runs of the first.
create table submission (
    workspace text not null,
    request_id text not null check (length(request_id) between 1 and 128),
    -- SHA-256 of the request, to refuse another content under the same id
    fingerprint bytea not null,
    run_ids uuid[] not null,
    created_at timestamptz not null default now(),
    primary key (workspace, request_id)
);

create table worker_session (
    id uuid primary key,
    -- SHA-256 of the secret with which the session can be resumed
    resume_token_hash bytea not null,
    worker_name text not null,
    version text not null,
    runtimes json not null,
    labels json not null,
    slot_groups json not null,
    connected_at timestamptz not null default now(),
    heartbeat_at timestamptz not null default now(),
    expires_at timestamptz not null
) with (fillfactor = 70);

create index worker_session_expiry on worker_session (expires_at);
