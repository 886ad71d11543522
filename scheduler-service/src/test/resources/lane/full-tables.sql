-- Tables as a busy installation has them, for StatementPlansTest: seven days of history, a queue with jobs in every state, and what features keep beside.
-- FullTables makes the same ids.

insert into job_history (bucket, id, run_id, workspace, kind, target, name, step_key, tag, status, attempt, input, result, created_at, ended_at)
select run % 1024, test_id(day, run * 16 + step, run % 1024), test_id(day, run * 16, run % 1024), 'workspace' || run % 5,
    case when step = 0 then 3 when step = 8 then 8 when step = 9 then 4 else 1 end, 'target' || run % 300, 'name' || run % 300,
    case when step = 0 then '' else 'step' || step end, 'python', case when run % 20 = 0 and step = 1 then 4 else 1 end, 1, '{}', '{"rows": 1}', now(), now()
from generate_series(0, 6) as day, generate_series(0, 2999) as run, generate_series(0, 9) as step;

insert into worker_session (id, resume_token_hash, worker_name, version, runtimes, labels, slot_groups, holder, expires_at)
select test_id(0, 9000000 + session, 0), '\x00', 'worker' || session, '1', '{}', '{}', '[]', test_id(0, 9999999, 0), now() + interval '1 day'
from generate_series(0, 199) as session;

-- Flows in progress, of which some are under a limit.
insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state, timeout_millis, input, limit_key, run_after)
select run % 1024, test_id(6, 1000000 + run * 16, run % 1024), test_id(6, 1000000 + run * 16, run % 1024), 'workspace' || run % 5, 3, 'hash', 'flow', '', 'flow', 0, run,
    4, 60000, '{}', case when run % 4 = 0 then 'limit' || run % 400 end, case when run % 3 = 0 then now() + interval '1 day' end
from generate_series(0, 7999) as run;

-- Their steps: one queued, some of them in the queue of a limit or released from it; one leased, delayed, paused or queued; a wait for a signal; a wait for a run.
insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state, timeout_millis, input, limit_queue, released_tag, limit_max)
select run % 1024, test_id(6, 1000000 + run * 16 + 1, run % 1024), test_id(6, 1000000 + run * 16, run % 1024), 'workspace' || run % 5, 1, 'hash', 'script', 'step1',
    case when run % 10 = 0 then '@limit/queue' || run % 100 else 'tag' || run % 3 end, 0, run, 1, 60000, '{}',
    case when run % 10 < 2 then '@limit/queue' || run % 100 end, case when run % 10 = 0 then 'tag1' end, case when run % 10 < 2 then 5 end
from generate_series(0, 7999) as run;

insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state, timeout_millis, input, held, run_after, session_id, lease_token)
select run % 1024, test_id(6, 1000000 + run * 16 + 2, run % 1024), test_id(6, 1000000 + run * 16, run % 1024), 'workspace' || run % 5, 1, 'hash', 'script', 'step2',
    'tag' || run % 3, 0, run, state, 60000, '{}', state = 6, case when state = 3 then now() + interval '1 hour' end,
    case when state = 2 then test_id(0, 9000000 + run % 200, 0) end, case when state = 2 then run end
from (select run, case when run < 3000 then 2 when run < 5000 then 3 when run < 6500 then 6 else 1 end as state from generate_series(0, 7999) as run) as runs;

insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state, timeout_millis, input, run_after)
select run % 1024, test_id(6, 1000000 + run * 16 + step, run % 1024), test_id(6, 1000000 + run * 16, run % 1024), 'workspace' || run % 5,
    case step when 3 then 8 else 15 end, case step when 3 then 'signal' else test_id(6, 3000000 + run, 0)::text end, '', 'step' || step, 'wait', 0, run, 5, 60000, '{}',
    case when step = 3 and run % 2 = 0 then now() + interval '1 hour' end
from generate_series(0, 7999) as run, generate_series(3, 4) as step;

-- Runs that wait to be started, all of them under a few limits.
insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state, timeout_millis, input, limit_key, debounce_key)
select run % 1024, test_id(6, 2000000 + run * 16, run % 1024), test_id(6, 2000000 + run * 16, run % 1024), 'workspace' || run % 5, 3, '', 'flow', '', 'flow', 0, 100000 + run,
    7, 60000, '{}', 'limit' || (run % 10) * 4, case when run % 7 = 0 then 'key' || run end
from generate_series(0, 9999) as run;

-- Runs of one job.
insert into job_queue (bucket, id, run_id, workspace, kind, target, name, step_key, tag, priority, order_key, state, timeout_millis, input)
select run % 1024, test_id(6, 4000000 + run, run % 1024), test_id(6, 4000000 + run, run % 1024), 'workspace' || run % 5, 1, 'hash', 'script', '', 'tag' || run % 3, 0, run, 1, 60000, '{}'
from generate_series(0, 9999) as run;

-- What features keep of runs.
insert into signal (bucket, id, run_id, name, step_key, kind, payload, who, request_id, wait_id)
select run % 1024, test_id(6, 5000000 + run * 4 + number, run % 1024), test_id(6, 1000000 + run * 16, run % 1024), 'signal', '', 1, '{}', '', 'request' || run || '-' || number,
    case when number = 0 then test_id(6, 1000000 + run * 16 + 3, run % 1024) end
from generate_series(0, 7999) as run, generate_series(0, 1) as number;

insert into run_operation (run_id, id, operation, actor, reason, details, request_id)
select test_id(6, 1000000 + run * 16, run % 1024), test_id(6, 6000000 + run * 4 + number, run % 1024), case number when 0 then 'pause' else 'retry' end, '', '', '{}',
    'request' || run || '-' || number
from generate_series(0, 7999) as run, generate_series(0, 1) as number;

insert into run_origin (run_id, origin_run_id, relation, step_key, wait_id)
select test_id(6, 1000000 + run * 16, run % 1024), test_id(5, run * 16, run % 1024), case run % 2 when 0 then 'restart' else 'child_run' end, '',
    case run % 2 when 1 then test_id(5, run * 16 + 4, run % 1024) end
from generate_series(0, 7999) as run;

insert into run_option (run_id, env) select test_id(6, 1000000 + run * 16, run % 1024), '{}' from generate_series(0, 7999) as run;

insert into job_attempt (run_id, job_id, attempt, step_key, began_at, ended_at, worker_name, error_name, error_message)
select test_id(6, 1000000 + run * 16, run % 1024), test_id(6, 1000000 + run * 16 + 3, run % 1024), attempt, 'step3', now(), now(), 'worker', 'Error', 'no luck'
from generate_series(0, 7999) as run, generate_series(1, 2) as attempt;

insert into activity_minute (minute, workspace, accepted, succeeded, failed, canceled, waits)
select date_trunc('minute', now()) - number * interval '1 minute', 'w' || team, 1, 1, 0, 0, '{1}'
from generate_series(0, 2000) as number, generate_series(0, 9) as team;

insert into child_note (child_run_id, kind, parent_run_id, step_key, wait_id)
select test_id(6, 3000000 + run, 0), 1 + run % 2, test_id(6, 1000000 + run * 16, run % 1024), 'step4', test_id(6, 1000000 + run * 16 + 4, run % 1024)
from generate_series(8000, 15999) as run;

insert into worker_group (bucket, run_id, id, group_key, first_key, session_id, worker_name)
select run % 1024, test_id(6, 1000000 + run * 16, run % 1024), test_id(6, 7000000 + run, run % 1024), 'group', 'step2', test_id(0, 9000000 + run % 200, 0), 'worker'
from generate_series(0, 7999) as run;

insert into limited_begin (limit_key, bucket, job_id, begun_at, window_millis, expires_at)
select 'limit' || (begin % 10) * 4, begin % 1024, test_id(6, begin, begin % 1024), now() - begin * interval '1 second', 60000, now() + interval '1 minute'
from generate_series(0, 19999) as begin;

insert into result_cache (workspace, key, result, expires_at)
select 'workspace' || call % 5, sha256(call::text::bytea), '{}', now() + interval '1 day' from generate_series(0, 19999) as call;

insert into result_cache_call (bucket, run_id, step_key, workspace, key, ttl_millis)
select run % 1024, test_id(6, 1000000 + run * 16, run % 1024), 'step2', 'workspace' || run % 5, sha256(run::text::bytea), 60000 from generate_series(0, 7999) as run;

insert into erased_run (run_id, step_keys) select test_id(5, run * 16, run % 1024), '{^step1$}' from generate_series(0, 2999) as run;

insert into submission (workspace, request_id, fingerprint, run_ids)
select 'workspace' || request % 5, 'request' || request, '\x00', array[test_id(6, 1000000 + request * 16, request % 1024)] from generate_series(0, 19999) as request;

insert into job_log (run_id, job_id, step_key, attempt, stream, sequence, text)
select test_id(day, run * 16, run % 1024), test_id(day, run * 16 + step, run % 1024), 'step' || step, 1, 1, 0, 'a line'
from generate_series(0, 6) as day, generate_series(0, 2999) as run, generate_series(1, 2) as step;

insert into flow (hash, dialect, file_name, definition, scripts) select encode(sha256(flow::text::bytea), 'hex'), 'millrace', 'f', '', '{}' from generate_series(0, 1999) as flow;
insert into flow_path (workspace, path, hash) select 'workspace' || flow % 5, 'flow' || flow, encode(sha256(flow::text::bytea), 'hex') from generate_series(0, 1999) as flow;
insert into script (hash, language, content) select encode(sha256(script::text::bytea), 'hex'), 1, '' from generate_series(0, 1999) as script;
insert into script_path (workspace, path, hash) select 'workspace' || script % 5, 'script' || script, encode(sha256(script::text::bytea), 'hex') from generate_series(0, 1999) as script;

insert into workspace (key, name, own_tags) select 'workspace' || n, 'workspace' || n, n % 10 = 0 from generate_series(0, 999) as n;

insert into audit_event (id, workspace, principal, address, action, subject, outcome)
select test_id(day, 8000000 + event, 0), 'workspace' || event % 5, 'user' || event % 50, '127.0.0.1', 'CancelRun', 'run' || event, 'allowed'
from generate_series(0, 6) as day, generate_series(0, 1999) as event;

insert into trigger (id, workspace, kind, path, version, template, settings, description, actor)
select test_id(0, 7000000 + n, 0), 'workspace' || n % 5, 'schedule', 'folder' || n % 7 || '/' || n, 1, '', '', '', '' from generate_series(0, 1999) as n;
insert into trigger_version (trigger_id, version, change, template, settings, actor)
select test_id(0, 7000000 + n, 0), 1, 'create', '', '', '' from generate_series(0, 1999) as n;
insert into trigger_use (trigger_id, workspace, kind, path)
select test_id(0, 7000000 + n, 0), 'workspace' || n % 5, 3, 'folder' || n % 7 || '/key' || n from generate_series(0, 1999) as n;
insert into trigger_start (trigger_id, occurrence, workspace, id, state, run_id, occurred_at)
select test_id(0, 7000000 + n, 0), 'tick' || tick, 'workspace' || n % 5, test_id(6, 1000000 + n * 16, n % 1024), 3, test_id(6, 1000000 + n * 16, n % 1024), now()
from generate_series(0, 1999) as n, generate_series(0, 9) as tick;

insert into event_trigger (trigger_id, epoch, since_transaction) select test_id(0, 7000000 + n, 0), 1, 1 from generate_series(0, 1999) as n;
insert into event_trigger_reader (workspace, position) select 'workspace' || n, '1-1-0-1' from generate_series(0, 999) as n;

insert into kafka_position (trigger_id, topic_id, partition_number, next_offset)
select test_id(0, 7000000 + n, 0), test_id(0, 7200000 + n % 20, 0), partition, n from generate_series(0, 1999) as n, generate_series(0, 3) as partition;

insert into mqtt_session (trigger_id, source, subscriptions, holder, held_until)
select test_id(0, 7000000 + n, 0), 'client at folder/mqtt', '{"1 a/#"}', test_id(0, 7200000 + n % 20, 0), now() from generate_series(0, 1999) as n;

insert into postgres_position (trigger_id, source, last_id, holder, held_until)
select test_id(0, 7000000 + n, 0), 'outbox.id of folder/db', n, test_id(0, 7200000 + n % 20, 0), now() from generate_series(0, 1999) as n;

insert into event_handler (id, workspace, path, event, active, definition, actor)
select test_id(0, 7300000 + n, 0), 'workspace' || n % 5, 'handler' || n, 'conductor:w:' || n % 100, true, '{}', '' from generate_series(0, 1999) as n;
insert into event_handler_position (handler_id, topic_id, partition_number, next_offset)
select test_id(0, 7300000 + n, 0), test_id(0, 7200000 + n % 20, 0), partition, n from generate_series(0, 1999) as n, generate_series(0, 3) as partition;
insert into event_execution (handler_id, message_id, workspace, event, run_id, run_name, state, ended_at)
select test_id(0, 7300000 + n, 0), test_id(6, 7400000 + n * 16 + message, 0), 'workspace' || n % 5, 'conductor:w:' || n % 100, test_id(6, n * 16, n % 1024), 'w', 3, now()
from generate_series(0, 1999) as n, generate_series(0, 9) as message;

insert into event_recording (workspace, scope, generation, since_transaction) select 'workspace' || n, 'steps', 1, 1 from generate_series(0, 999) as n;
insert into event (id, workspace, type, run_id, name)
select test_id(day, 8500000 + event, 0), 'workspace' || event % 5, 'run.accepted', test_id(day, event * 16, event % 1024), 'flow' from generate_series(0, 6) as day, generate_series(0, 1999) as event;
insert into schedule (trigger_id, next_tick, wake_at)
select test_id(0, 7000000 + n, 0), now() + n * interval '1 hour', now() + n * interval '1 hour' from generate_series(0, 1999) as n;
insert into schedule_backfill (id, trigger_id, from_time, to_time, parallel_max, total, actor)
select test_id(0, 7100000 + n, 0), test_id(0, 7000000 + n, 0), now(), now(), 1, 1, '' from generate_series(0, 199) as n;
