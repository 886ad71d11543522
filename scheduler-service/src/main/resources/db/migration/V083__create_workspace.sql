-- Workspaces. Rows of other tables hold the key of a workspace, which never changes and is never given again; people use its names.
create table workspace (
    key text primary key,
    -- null once it has been deleted
    name text unique,
    description text not null default '',
    -- only workers whose token names it get its jobs
    isolated boolean not null default false,
    -- its jobs wait under tags of their own, because it is isolated or because a worker's token names it; never taken back
    own_tags boolean not null default false,
    state text not null default 'active' check (state in ('active', 'archived', 'deleting', 'deleted')),
    -- empty: it is older than this table
    created_by text not null default '',
    created_at timestamptz not null default now(),
    archived_at timestamptz,
    deleted_at timestamptz,
    -- until then its waiting jobs are moved to the tags that they should have: schedulers may still enqueue under the others
    moving_until timestamptz,
    -- a scheduler works on the deletion until then
    claimed_until timestamptz,
    check ((name is null) = (state = 'deleted')),
    check ((archived_at is null) = (state = 'active')),
    check ((deleted_at is null) = (state in ('active', 'archived'))),
    check (own_tags or not isolated)
);

-- All names that a workspace has or had. Requests may use each of them.
create table workspace_name (
    name text primary key,
    key text not null references workspace (key)
);
create index workspace_name_owner on workspace_name (key);

insert into workspace (key, name)
select key, key from (
    select 'default' as key
    union select workspace from job_queue
    union select workspace from job_history where step_key = ''
    union select workspace from submission
    union select workspace from script_path
    union select workspace from script_version
    union select workspace from flow_path
    union select workspace from flow_version
    union select workspace from flow_number
    union select workspace from mutex
    union select workspace from result_cache
    union select workspace from bulk_operation
    union select workspace from pinned_run
    union select workspace from principal where workspace <> ''
    union select workspace from role_binding where workspace <> ''
    union select unnest(workspaces) from credential
) used;
insert into workspace_name (name, key) select name, key from workspace;

-- The workspaces that the token of a worker names; empty for all that are not isolated.
alter table worker_session add column workspaces text[] not null default '{}';
update worker_session s set workspaces = c.workspaces from credential c where c.id = s.credential_id;

-- The tag that a worker announces for jobs with this tag.
create function plain_tag(tag text) returns text language sql immutable as $$
    select case when tag like '~%' then substr(tag, strpos(tag, '/') + 1) else tag end
$$;

-- The tag under which jobs with this tag wait.
create function routed_tag(of_workspace text, tag text) returns text language sql stable as $$
    select case when tag not like '~%' and exists (select from workspace w where w.key = of_workspace and w.own_tags)
        then '~' || of_workspace || '/' || tag else tag end
$$;
