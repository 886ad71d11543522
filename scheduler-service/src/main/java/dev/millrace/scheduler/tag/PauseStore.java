package dev.millrace.scheduler.tag;

import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.tag.core.TagPause;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import org.jooq.Record;

/** Pauses of tags in Postgres, whose clock decides when they end. */
final class PauseStore {
    private static final String COLUMNS =
            "tag, actor, reason, paused_at, case when isfinite(until_at) then until_at end as until_at";

    /** Changes nothing if there are as many other pauses as there may be. A pause that has ended begins anew. */
    private static final String PAUSE = """
            insert into paused_tag as p (tag, actor, reason, until_at)
            select ?, ?, ?, coalesce(now() + ?::bigint * interval '1 millisecond', 'infinity')
            where (select count(*) from (select from paused_tag where tag <> ? limit ?) as others) < ?
            on conflict (tag) do update set
                actor = excluded.actor, reason = excluded.reason, until_at = excluded.until_at,
                paused_at = case when p.until_at > now() then p.paused_at else now() end
            returning
            """ + COLUMNS;

    private static final String RESUME =
            "delete from paused_tag where tag = ? returning " + COLUMNS + ", until_at > now() as is_in_force";
    private static final String IN_FORCE = "select " + COLUMNS
            + ", case when isfinite(until_at) then ceil(extract(epoch from until_at - now()) * 1000)::bigint end as millis_left"
            + " from paused_tag where until_at > now() order by tag limit ?";

    private final Database database;

    PauseStore(Database database) {
        this.database = database;
    }

    /** Pauses a tag; empty if there are {@code max} other pauses. */
    Optional<TagPause> pause(String tag, String actor, String reason, Optional<Duration> length, int max) {
        Long millis = length.map(Duration::toMillis).orElse(null);
        return database.run(dsl -> dsl.fetchOptional(PAUSE, tag, actor, reason, millis, tag, max, max))
                .map(PauseStore::pause);
    }

    /** Ends the pause of a tag, and returns it if it was in force. */
    Optional<TagPause> resume(String tag) {
        return database.run(dsl -> dsl.fetchOptional(RESUME, tag))
                .filter(row -> row.get("is_in_force", Boolean.class))
                .map(PauseStore::pause);
    }

    /**
     * Pauses in force.
     *
     * @param nextEnd time until the first of them ends by itself
     */
    record InForce(List<TagPause> pauses, Optional<Duration> nextEnd) {
        InForce {
            pauses = List.copyOf(pauses);
        }
    }

    InForce inForce(int max) {
        List<Record> rows = List.copyOf(database.run(dsl -> dsl.fetch(IN_FORCE, max)));
        return new InForce(
                rows.stream().map(PauseStore::pause).toList(),
                rows.stream()
                        .flatMap(row -> Optional.ofNullable(row.get("millis_left", Long.class)).stream())
                        .min(Long::compare)
                        .map(Duration::ofMillis));
    }

    private static TagPause pause(Record row) {
        return new TagPause(
                row.get("tag", String.class),
                row.get("actor", String.class),
                row.get("reason", String.class),
                row.get("paused_at", OffsetDateTime.class).toInstant(),
                Optional.ofNullable(row.get("until_at", OffsetDateTime.class)).map(OffsetDateTime::toInstant));
    }
}
