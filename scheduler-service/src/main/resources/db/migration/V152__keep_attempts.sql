-- Attempts that ended without ending their jobs: what failed and was repeated, and what was lost with its worker.
create table job_attempt (
    run_id uuid not null,
    job_id uuid not null,
    attempt int not null,
    step_key text not null,
    -- absent if the job had not begun, or nobody knows when
    began_at timestamptz,
    ended_at timestamptz not null,
    worker_name text not null,
    error_name text not null,
    -- empty once the step was erased
    error_message text not null,
    primary key (run_id, job_id, attempt)
);
