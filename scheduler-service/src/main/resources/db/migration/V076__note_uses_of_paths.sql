-- The deployed scripts (kind 1) and flows (kind 2) that a version of a flow names by their paths, so that neither is deleted while it is named.
create table flow_use (
    hash text not null references flow (hash),
    kind smallint not null check (kind between 1 and 2),
    path text not null,
    primary key (kind, path, hash)
);

-- Of versions that were deployed before, it is not known which scripts came with them as files: all that they name count.
insert into flow_use (hash, kind, path)
select hash, 1, json_object_keys(scripts) from flow
union
select hash, 2, regexp_replace(json_object_keys(subflows), '@[0-9]{1,9}$', '') from flow;
