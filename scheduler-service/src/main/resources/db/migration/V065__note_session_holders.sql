-- The scheduler whose stream holds the session: only that one may lease jobs to it. A worker that resumes elsewhere changes it.
alter table worker_session add column holder uuid;

-- Refuses a flush that leases jobs to sessions which have moved to another scheduler, or have ended.
create function expect_sessions_held(moved bigint) returns bigint
    language plpgsql
    immutable
as $$
begin
    if moved <> 0 then
        raise exception '% sessions are held by other schedulers', moved using errcode = 'MR002';
    end if;
    return moved;
end
$$;
