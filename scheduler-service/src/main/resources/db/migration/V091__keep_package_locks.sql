-- Versions of packages that were chosen for a version of a script: workers choose them once for each interpreter, and all later jobs get the same.
create table package_lock (
    workspace text not null,
    script_hash text not null,
    -- interpreter and the part of its version on which packages depend, such as python3.12
    interpreter text not null,
    content text not null,
    created_at timestamptz not null default now(),
    primary key (workspace, script_hash, interpreter),
    foreign key (workspace, script_hash) references script_version (workspace, hash) on delete cascade
);
