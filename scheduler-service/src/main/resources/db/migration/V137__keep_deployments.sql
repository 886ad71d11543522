-- Deployments that have changed what the path of a flow or script leads to: who has done so, when, and what they said.
create table deployment (
    workspace text not null,
    -- 1 script, 2 flow
    kind smallint not null check (kind in (1, 2)),
    path text not null,
    -- counts the deployments of the path; the row of the path is locked meanwhile
    number bigint not null,
    hash text not null,
    actor text not null,
    message text not null,
    deployed_at timestamptz not null default now(),
    primary key (workspace, kind, path, number)
);

create index deployment_by_age on deployment (deployed_at);

-- What paths lead to today; nobody knows who deployed it.
insert into deployment (workspace, kind, path, number, hash, actor, message, deployed_at)
select workspace, 1, path, 1, hash, '', '', updated_at from script_path
union all
select workspace, 2, path, 1, hash, '', '', updated_at from flow_path;
