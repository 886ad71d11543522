-- Keys that wrap the keys of workspaces. The keys themselves are files or in Vault; a row tells that the installation uses one.
create table key_encryption_key (
    id text primary key,
    -- a text that only this key decrypts, so that a server notices another key under the same id
    proof bytea not null,
    created_at timestamptz not null default now()
);

-- The keys of a workspace, which encrypt its secrets.
create table workspace_key (
    workspace text primary key,
    -- part of what each value of a secret is bound to
    id uuid not null unique,
    -- wrapped by the key-encryption key
    keyset bytea not null,
    kek_id text not null references key_encryption_key (id),
    -- raised by each change of the keyset
    version bigint not null,
    -- the key of the keyset that encrypts, and how many keys there are
    data_key bigint not null,
    keys int not null
);
create index workspace_key_kek on workspace_key (kek_id);

create table secret (
    workspace text not null,
    path text not null,
    store text not null check (store in ('local', 'folder', 'vault')),
    description text not null,
    version bigint not null,
    -- the encrypted value, and the key that encrypted it
    sealed bytea,
    data_key bigint,
    primary key (workspace, path),
    check ((store = 'local') = (sealed is not null)),
    check ((sealed is null) = (data_key is null))
);
create index secret_data_key on secret (workspace, data_key) where sealed is not null;

create table secret_version (
    workspace text not null,
    path text not null,
    version bigint not null,
    created_by text not null,
    created_at timestamptz not null default now(),
    primary key (workspace, path, version),
    foreign key (workspace, path) references secret (workspace, path) on update cascade on delete cascade
);

create table resource_type (
    workspace text not null,
    name text not null,
    schema json not null,
    description text not null,
    primary key (workspace, name)
);

create table resource (
    workspace text not null,
    path text not null,
    -- name of its type; empty for none
    type text not null,
    value json not null,
    -- paths of the secrets to which the value refers
    secrets text[] not null,
    description text not null,
    updated_by text not null,
    updated_at timestamptz not null default now(),
    primary key (workspace, path)
);
create index resource_secrets on resource using gin (secrets);

-- Flows also use secrets (kind 3) and resources (kind 4).
alter table flow_use drop constraint flow_use_kind_check;
alter table flow_use add constraint flow_use_kind_check check (kind between 1 and 4);
