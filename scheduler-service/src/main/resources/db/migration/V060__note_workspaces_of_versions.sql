-- Which versions of scripts and flows were deployed in which workspace: a version is found by its hash there only. Versions themselves are shared,
-- because their hash is that of their content.
create table flow_version (
    workspace text not null,
    hash text not null references flow (hash),
    primary key (workspace, hash)
);

create table script_version (
    workspace text not null,
    hash text not null references script (hash),
    primary key (workspace, hash)
);

-- Until now it was not noted: a version belongs to the workspaces in which a path leads to it or a run had it, else to the default one.
insert into flow_version (workspace, hash)
select workspace, hash from flow_path
union select workspace, target from job_queue join flow on hash = target where kind = 3 and id = run_id
union select workspace, target from job_history join flow on hash = target where kind = 3 and step_key = '';

insert into flow_version (workspace, hash)
select 'default', hash from flow where not exists (select from flow_version v where v.hash = flow.hash);

insert into script_version (workspace, hash)
with recursive inside (workspace, hash) as (
    select workspace, hash from flow_version
    union
    select i.workspace, f.hash
    from inside i join flow outer_flow on outer_flow.hash = i.hash
    cross join lateral json_each_text(outer_flow.subflows) as sub (path, hash)
    join flow f on f.hash = sub.hash
)
select i.workspace, s.hash
from inside i join flow f on f.hash = i.hash
cross join lateral json_each(f.scripts) as named (path, version)
join script s on s.hash = named.version ->> 'hash'
union select workspace, hash from script_path
union select workspace, target from job_queue join script on hash = target where kind = 1 and id = run_id
union select workspace, target from job_history join script on hash = target where kind = 1 and step_key = '';

insert into script_version (workspace, hash)
select 'default', hash from script where not exists (select from script_version v where v.hash = script.hash);
