-- Tags whose jobs no scheduler leases. Such a tag is the one that callers give, so that a row pauses it in all workspaces.
create table paused_tag (
    tag text primary key,
    actor text not null,
    reason text not null,
    paused_at timestamptz not null default now(),
    -- when the pause ends by itself; null for never
    until_at timestamptz not null default 'infinity'
);

create index paused_tag_until on paused_tag (until_at);
