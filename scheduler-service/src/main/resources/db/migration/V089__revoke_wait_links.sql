-- Signed links of a step that were made until a time are void, since somebody has revoked them.
create table wait_link_revocation (
    run_id uuid not null,
    step_key text not null,
    -- person whose links are void; empty for everybody
    actor text not null,
    revoked_at timestamptz not null,
    primary key (run_id, step_key, actor)
);

create index wait_link_revocation_age on wait_link_revocation (revoked_at);
