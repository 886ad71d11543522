package dev.millrace.scheduler.telemetry;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.NamedCodes;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Snapshots of what the database contains, which all schedulers share. One scheduler at a time takes each. */
final class SnapshotStore {
    /** Largest time that a snapshot may take before it is given up. */
    private static final Duration TIME_MAX = Duration.ofSeconds(5);

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Jobs by tag and state, and the age of the oldest job that any worker might take. */
    private static final String QUEUE = NamedCodes.expand("""
            select 'jobs' as metric, json_build_array(tag, state) as labels, count(*)::float8 as value
            from job_queue group by tag, state
            union all
            select 'oldest', json_build_array(tag), extract(epoch from now() - min(created_at))::float8
            from job_queue where state = {JobState.QUEUED} group by tag
            """);

    /** Tables with their partitions, and the server's connections. */
    private static final String TABLES = """
            select v.metric, json_build_array(coalesce(parent.relname, t.relname)) as labels, sum(v.value)::float8 as value
            from pg_stat_user_tables t
            left join pg_inherits i on i.inhrelid = t.relid
            left join pg_class parent on parent.oid = i.inhparent
            cross join lateral (values
                ('bytes', pg_total_relation_size(t.relid)), ('dead_rows', t.n_dead_tup), ('live_rows', t.n_live_tup)
            ) v (metric, value)
            where t.schemaname = current_schema()
            group by v.metric, coalesce(parent.relname, t.relname)
            union all
            select 'connections', json_build_array(), count(*) from pg_stat_activity where backend_type = 'client backend'
            union all
            select 'connections_max', json_build_array(), current_setting('max_connections')::float8
            union all
            select 'oldest_transaction', json_build_array(),
                coalesce(extract(epoch from now() - min(xact_start)), 0)
            from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
            """;

    /**
     * Triggers, what they have yet to start, and how far those are behind who fire schedules, send alerts and read events.
     * A reader is behind by the age of the first event that it has not read.
     */
    private static final String TRIGGERS = """
            select 'triggers' as metric, json_build_array(kind, case when paused_at is null then 'active' else 'paused' end) as labels,
                count(*)::float8 as value
            from trigger group by kind, paused_at is null
            union all
            select 'starts_pending', json_build_array(t.kind), count(*)::float8
            from trigger_start s join trigger t on t.id = s.trigger_id where s.claimed_until is not null group by t.kind
            union all
            select 'schedule_lag', json_build_array(), greatest(coalesce(extract(epoch from now() - min(wake_at)), 0), 0)::float8
            from schedule where wake_at is not null
            union all
            select 'deliveries', json_build_array(state), count(*)::float8 from alert_delivery where state <> 'delivered' group by state
            union all
            select 'reader_lag', json_build_array(r.reader), max(coalesce(extract(epoch from now() - e.created_at), 0))::float8
            from (
                select case channel when 'kafka' then 'kafka' else 'alert' end as reader, workspace, position from alert where not paused and position is not null
                union all select 'trigger', workspace, position from event_trigger_reader
            ) r
            left join lateral (
                select e.created_at from event e
                where e.workspace = r.workspace
                    and (e.transaction_id, e.number) > (split_part(r.position, '-', 2)::bigint, split_part(r.position, '-', 3)::bigint)
                order by e.transaction_id, e.number limit 1
            ) e on true
            group by r.reader
            """;

    private final Database database;

    SnapshotStore(Database database) {
        this.database = database;
    }

    /**
     * Takes the snapshots that are older than this, unless another scheduler is taking them. Returns the values of all
     * snapshots that are not outdated.
     *
     * @param age age from which a snapshot is taken anew
     * @param ageMax age from which the values of a snapshot say nothing any more
     */
    List<SnapshotRow> refresh(Duration age, Duration ageMax) {
        take("queue", QUEUE, age);
        take("tables", TABLES, age);
        take("triggers", TRIGGERS, age);
        List<String> texts = database.run(context -> context.fetch(
                        "select rows::text from metric_snapshot where taken_at > now() - ? * interval '1 ms' order by name",
                        ageMax.toMillis())
                .getValues(0, String.class));
        List<SnapshotRow> rows = new ArrayList<>();
        texts.forEach(text -> read(text).forEach(row -> rows.add(row(row))));
        return rows;
    }

    private void take(String name, String query, Duration age) {
        database.transaction(context -> {
            context.execute("set local statement_timeout = " + TIME_MAX.toMillis());
            return context.execute("""
                    with due as materialized (
                        select name from metric_snapshot
                        where name = ? and taken_at < now() - ? * interval '1 ms' for update skip locked
                    )
                    update metric_snapshot s set taken_at = now(), rows = (
                        select coalesce(json_agg(json_build_array(q.metric, q.labels, q.value)), '[]') from (%s) q
                    )
                    from due where s.name = due.name
                    """.formatted(query), name, age.toMillis());
        });
    }

    private static JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException notOurs) {
            throw new IllegalStateException("A row of metric_snapshot is not valid", notOurs);
        }
    }

    private static SnapshotRow row(JsonNode row) {
        List<String> labels = new ArrayList<>();
        row.path(1).forEach(label -> labels.add(label.asText()));
        return new SnapshotRow(row.path(0).asText(), labels, row.path(2).asDouble());
    }
}
