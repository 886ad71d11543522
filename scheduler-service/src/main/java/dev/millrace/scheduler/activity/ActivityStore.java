package dev.millrace.scheduler.activity;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.scheduler.activity.core.Activity;
import dev.millrace.scheduler.activity.core.ActivityMinute;
import dev.millrace.scheduler.activity.core.WaitHistogram;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jooq.Record;

/**
 * Activity of workspaces in Postgres, a row for each workspace and minute to which all schedulers add. The clock of the
 * database tells the minute. Rows are locked in the order of the workspaces.
 */
final class ActivityStore {
    /** Counts that come right after the end of a minute are mostly of that minute. */
    private static final String ADD = """
            insert into activity_minute as a (minute, workspace, accepted, succeeded, failed, canceled, waits)
            select date_trunc('minute', now() - interval '5 s'), n.workspace, n.accepted, n.succeeded, n.failed, n.canceled, n.waits
            from json_to_recordset(?::json) as n(workspace text, accepted bigint, succeeded bigint, failed bigint, canceled bigint,
                waits bigint[])
            order by n.workspace
            on conflict (minute, workspace) do update set
                accepted = a.accepted + excluded.accepted,
                succeeded = a.succeeded + excluded.succeeded,
                failed = a.failed + excluded.failed,
                canceled = a.canceled + excluded.canceled,
                waits = array(
                    select coalesce(w.one, 0) + coalesce(w.other, 0)
                    from unnest(a.waits, excluded.waits) with ordinality as w(one, other, place) order by w.place)
            """;

    private static final String LAST = """
            select extract(epoch from m.minute)::bigint as start, coalesce(a.accepted, 0) as accepted,
                coalesce(a.succeeded, 0) as succeeded, coalesce(a.failed, 0) as failed, coalesce(a.canceled, 0) as canceled,
                coalesce(a.waits, '{}') as waits
            from generate_series(date_trunc('minute', now()) - (? - 1) * interval '1 minute', date_trunc('minute', now()),
                interval '1 minute') as m(minute)
            left join activity_minute a on a.minute = m.minute and a.workspace = ?
            order by m.minute
            """;

    private static final ObjectMapper JSON = new ObjectMapper();

    private final Database database;

    ActivityStore(Database database) {
        this.database = database;
    }

    /** Adds to the present minute. */
    void add(Map<Workspace, Activity> activities) {
        ArrayNode rows = JSON.createArrayNode();
        names(activities).forEach((workspace, activity) -> {
            ObjectNode row = rows.addObject()
                    .put("workspace", workspace)
                    .put("accepted", activity.accepted())
                    .put("succeeded", activity.succeeded())
                    .put("failed", activity.failed())
                    .put("canceled", activity.canceled());
            ArrayNode waits = row.putArray("waits");
            Arrays.stream(withoutEmptyEnd(activity.waits().counts())).forEach(waits::add);
        });
        database.run(dsl -> dsl.execute(ADD, rows.toString()));
    }

    private static Map<String, Activity> names(Map<Workspace, Activity> activities) {
        Map<String, Activity> names = new TreeMap<>();
        activities.forEach((workspace, activity) -> names.put(workspace.name(), activity));
        return names;
    }

    private static long[] withoutEmptyEnd(long[] counts) {
        int end = counts.length;
        while (end > 0 && counts[end - 1] == 0) {
            end--;
        }
        return Arrays.copyOf(counts, end);
    }

    /** The last minutes, the oldest first, the present one included. */
    List<ActivityMinute> last(Workspace workspace, int minutes) {
        return database.run(dsl -> dsl.fetch(LAST, minutes, workspace.name()).map(ActivityStore::minute));
    }

    private static ActivityMinute minute(Record row) {
        return new ActivityMinute(
                Instant.ofEpochSecond(row.get("start", Long.class)),
                new Activity(
                        row.get("accepted", Long.class),
                        row.get("succeeded", Long.class),
                        row.get("failed", Long.class),
                        row.get("canceled", Long.class),
                        new WaitHistogram(Stream.of(row.get("waits", Long[].class))
                                .mapToLong(Long::longValue)
                                .toArray())));
    }
}
