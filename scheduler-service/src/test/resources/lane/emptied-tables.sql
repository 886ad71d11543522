-- Empties what full-tables.sql fills, so that it can be filled again. Days of the history are as new.

truncate job_history, job_log;

do $$
declare
    name text;
begin
    set local session_replication_role = replica;
    for name in
        select relname from pg_class
        where relkind = 'r' and relnamespace = 'public'::regnamespace
            and relname not in ('flyway_schema_history', 'session_watch', 'server_secret', 'metric_snapshot')
    loop
        execute format('delete from %I', name);
    end loop;
end $$;
