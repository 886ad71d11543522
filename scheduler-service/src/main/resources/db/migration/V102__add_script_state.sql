-- What scripts remember from one run to the next.
create table script_state (
    workspace text not null,
    -- the script or flow, and for a step of a flow its key
    path text not null,
    value json not null,
    -- the run that wrote it last
    run_id uuid not null,
    updated_at timestamptz not null,
    primary key (workspace, path)
);
