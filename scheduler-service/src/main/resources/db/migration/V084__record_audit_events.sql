-- Who did what, and who was refused: insert-only, partitioned by the time inside the UUIDv7 id.
create table audit_event (
    id uuid primary key,
    -- empty: the installation, or a caller that was refused before its request was read
    workspace text not null,
    principal text not null,
    -- the token that the caller has shown
    credential_id uuid,
    address text not null,
    -- name of the RPC
    action text not null,
    subject text not null,
    outcome text not null check (outcome in ('allowed', 'denied', 'failed', 'unknown')),
    detail json not null default '{}',
    -- number of calls that the row stands for
    calls bigint not null default 1 check (calls > 0)
) partition by range (id);

create table audit_event_default partition of audit_event default;
create index audit_event_workspace on audit_event (workspace, id);
create index audit_event_principal on audit_event (principal, id);
create index audit_event_subject on audit_event (subject, id);
