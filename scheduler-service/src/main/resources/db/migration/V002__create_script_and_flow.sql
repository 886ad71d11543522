-- Content-addressed and immutable; the current version of a path stands in a table of its own.
create table script (
    hash text primary key check (length(hash) = 64),
    -- 1 python, 2 deno
    language smallint not null check (language between 1 and 2),
    content text not null,
    created_at timestamptz not null default now()
);

create table script_path (
    workspace text not null,
    path text not null,
    hash text not null references script (hash),
    updated_at timestamptz not null default now(),
    primary key (workspace, path)
);

create table flow (
    hash text primary key check (length(hash) = 64),
    dialect text not null,
    file_name text not null,
    definition text not null,
    -- script path inside the definition -> {"hash": …, "language": …}
    scripts json not null,
    created_at timestamptz not null default now()
);

create table flow_path (
    workspace text not null,
    path text not null,
    hash text not null references flow (hash),
    updated_at timestamptz not null default now(),
    primary key (workspace, path)
);
