-- What the steps of a run share by name, written by user code while it runs.
create table run_data (
    bucket smallint not null,
    run_id uuid not null,
    key text not null check (length(key) between 1 and 256),
    value json not null,
    -- who wrote it last
    job_id uuid not null,
    updated_at timestamptz not null,
    primary key (bucket, run_id, key)
);

create index run_data_age on run_data (updated_at);
