-- People and programs that call. Names are never given to anybody else: rows are disabled, not deleted.
create table principal (
    id uuid primary key,
    kind text not null check (kind in ('user', 'service-account')),
    -- of a service account; empty for users
    workspace text not null default '',
    name text not null,
    -- of a user of an identity provider: the provider and its lasting name of the user
    issuer text,
    subject text,
    groups text[] not null default '{}',
    may_act_as boolean not null default false,
    created_at timestamptz not null default now(),
    disabled_at timestamptz,
    unique (kind, workspace, name),
    unique (issuer, subject),
    check ((kind = 'user') = (workspace = ''))
);

create table role_binding (
    -- empty: the installation
    workspace text not null,
    -- empty: the whole workspace
    folder text not null,
    -- user:NAME, service-account:NAME or group:NAME
    subject text not null,
    role text not null check (role in ('viewer', 'runner', 'developer', 'admin', 'owner')),
    created_by text not null,
    created_at timestamptz not null default now(),
    primary key (workspace, folder, subject),
    check ((workspace = '') = (role = 'owner'))
);
create index role_binding_subject on role_binding (subject);

create table credential (
    id uuid primary key,
    -- SHA-256 of the token
    hash bytea not null unique,
    kind text not null check (kind in ('user', 'service-account', 'worker', 'gateway', 'session')),
    name text not null,
    -- null for workers and gateways
    principal_id uuid references principal (id),
    -- restrictions; empty for none
    workspaces text[] not null default '{}',
    folders text[] not null default '{}',
    tags text[] not null default '{}',
    role_max text,
    created_by text not null,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    -- longest time between two uses
    idle_millis bigint,
    last_used_at timestamptz,
    revoked_at timestamptz,
    ended_at timestamptz generated always as (least(expires_at, revoked_at)) stored,
    check ((principal_id is null) = (kind in ('worker', 'gateway')))
);
create index credential_principal on credential (principal_id, id);
create index credential_ended on credential (ended_at);

-- A session continues only under the token with which it began.
alter table worker_session add column credential_id uuid;

alter table run_option
    -- who started the run; null if that was somebody without a token
    add column started_by text;
alter table run_option drop constraint an_option_is_asked_for;
alter table run_option add constraint an_option_is_asked_for
    check (env is not null or job_limit is not null or start_within_millis is not null or started_by is not null);
