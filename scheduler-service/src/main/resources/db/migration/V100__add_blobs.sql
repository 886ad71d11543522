-- Blobs: bytes that payloads refer to. The row comes before the bytes and goes after them.
create table blob (
    id uuid primary key,
    workspace text not null,
    -- where the bytes are
    store text not null check (store in ('postgres', 'folder', 's3')),
    media_type text not null check (length(media_type) between 1 and 255),
    -- null until the upload is complete
    bytes bigint check (bytes >= 0),
    sha256 bytea check (length(sha256) = 32),
    -- set before the bytes are deleted
    is_doomed boolean not null default false,
    created_at timestamptz not null,
    -- when the sweep looks at the blob; it deletes the blob unless a run uses it
    expires_at timestamptz not null,
    check ((bytes is null) = (sha256 is null))
);

create index blob_expiry on blob (expires_at);

-- Runs that have saved or loaded a blob.
create table blob_use (
    blob_id uuid not null references blob on delete cascade,
    run_id uuid not null,
    primary key (blob_id, run_id)
);

create index blob_use_run on blob_use (run_id);

-- The bytes of blobs whose store is Postgres. Bytes are not compressed, so that a part can be read alone.
create table blob_chunk (
    blob_id uuid not null,
    number integer not null,
    bytes bytea not null,
    primary key (blob_id, number)
);

alter table blob_chunk alter column bytes set storage external;
