-- What a workspace may ask of the installation; 0 means no limit. Workspaces without a row have no limits.
create table workspace_quota (
    workspace text primary key,
    submits_per_second_max bigint not null check (submits_per_second_max >= 0),
    queued_jobs_max bigint not null check (queued_jobs_max >= 0),
    open_streams_max bigint not null check (open_streams_max >= 0),
    log_bytes_per_second_max bigint not null check (log_bytes_per_second_max >= 0),
    payload_bytes_per_second_max bigint not null check (payload_bytes_per_second_max >= 0),
    set_by text not null,
    set_at timestamptz not null default now()
);

-- Submitted runs a second under this token; 0 does not restrict.
alter table credential add column submits_per_second_max bigint not null default 0 check (submits_per_second_max >= 0);
create index credential_quota on credential (id) where submits_per_second_max > 0;
