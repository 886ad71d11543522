-- The last versions of secrets that were deleted: one that is set again goes on from there, since its values are others.
create table deleted_secret (
    workspace text not null,
    path text not null,
    version bigint not null,
    deleted_at timestamptz not null default now(),
    primary key (workspace, path)
);
create index deleted_secret_age on deleted_secret (deleted_at);
