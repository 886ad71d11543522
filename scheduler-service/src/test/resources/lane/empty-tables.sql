-- What StatementPlansTest needs before the tables are filled: ids as a scheduler makes them, and a partition for each of seven days.

create function test_id(day int, number int, bucket int) returns uuid
    language sql
    immutable
as $$
    select (lpad(to_hex(1767225600000 + day * 86400000::bigint + number), 12, '0') || '7000' || '8'
        || lpad(to_hex((number::bigint << 10) | bucket), 15, '0'))::uuid
$$;

do $$
declare
    day int;
    parent text;
begin
    foreach parent in array array['job_history', 'job_log'] loop
        for day in 0..6 loop
            execute format(
                'create table %I partition of %I for values from (%L) to (%L)',
                parent || '_' || day, parent, test_id(day, 0, 0), test_id(day + 1, 0, 0));
        end loop;
    end loop;
end $$;

-- A statement that touches another number of rows than it should, as with made-up values, is explained all the same.
create or replace function expect_rows(statement_name text, expected bigint, actual bigint) returns bigint language plpgsql immutable as $$ begin return actual; end $$;
create or replace function expect_sessions_held(moved bigint) returns bigint language plpgsql immutable as $$ begin return moved; end $$;

-- Plans that were made on the empty tables must outlive the filling: nothing else may analyze the tables meanwhile.
do $$
declare
    name text;
begin
    for name in select relname from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('alter table %I set (autovacuum_enabled = off)', name);
    end loop;
end $$;
