-- What was asked for beside what the root job of a run keeps: of this run, and of those that are made after its model.
create table run_option (
    run_id uuid primary key,
    -- laid over the environment of the flow; a JSON object
    env json,
    -- of a run of one job: what that waits for before it may go to workers
    job_limit json,
    constraint an_option_is_asked_for check (env is not null or job_limit is not null)
);
