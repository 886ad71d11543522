-- Steps of a run that keep to one worker and share a folder there. The worker is decided when the first job of the group has ended; until then
-- the others wait under a tag that nobody serves. Deleted when the group ends.
create table worker_group (
    bucket smallint not null,
    run_id uuid not null,
    id uuid not null,
    -- step key of the container; empty for the whole run
    group_key text not null,
    -- step key of the job that decides
    first_key text not null,
    -- the session whose worker holds the folder, and that worker's name; null until it is decided
    session_id uuid,
    worker_name text,
    created_at timestamptz not null default now(),
    primary key (bucket, run_id, id),
    constraint decided_groups_name_their_worker check ((session_id is null) = (worker_name is null))
);

-- what workers ask for
create index worker_group_id on worker_group (id);

alter table job_queue
    add column group_id uuid,
    -- of a job that waits for the worker of its group: the tag it asked for, while `tag` leads to that worker
    add column own_tag text;
