package dev.millrace.scheduler.postgres;

import com.google.protobuf.ByteString;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.millrace.proto.trigger.v1.PostgresSource;
import dev.millrace.scheduler.error.Violations;
import dev.millrace.scheduler.rpc.TimeProtos;
import dev.millrace.text.Durations;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/** Reads messages about triggers of PostgreSQL. */
public final class PostgresProtos {
    private static final String NAME = "[A-Za-z_][A-Za-z0-9_$]{0,62}";
    private static final Pattern ONE_NAME = Pattern.compile(NAME);
    private static final Pattern TABLE = Pattern.compile(NAME + "(\\." + NAME + ")?");
    private static final String COLUMN_DEFAULT = "id";

    private PostgresProtos() {}

    /**
     * The settings to store.
     *
     * @throws dev.millrace.scheduler.error.MillraceException if they break a rule
     */
    public static ByteString stored(PostgresSource source) {
        Violations violations = new Violations();
        check(source, "postgres", violations);
        violations.throwIfAny();
        return source.toByteString();
    }

    /**
     * Collects what is wrong with settings.
     *
     * @param field of the message
     */
    static void check(PostgresSource source, String field, Violations violations) {
        String table = source.getTable();
        boolean hasTable = !table.isEmpty();
        violations.require(
                !hasTable || TABLE.matcher(table).matches(),
                field + ".table",
                "\"" + table + "\" (expected: NAME or SCHEMA.NAME, of letters, digits, '_' and '$')");
        violations.require(
                source.getColumn().isEmpty()
                        || (hasTable && ONE_NAME.matcher(source.getColumn()).matches()),
                field + ".column",
                "\"" + source.getColumn() + "\" (expected: the name of a column, for a trigger with a table)");
        String channel = source.getChannel();
        violations.require(
                channel.isEmpty() ? hasTable : ONE_NAME.matcher(channel).matches(),
                field + ".channel",
                channel.isEmpty()
                        ? "is missing, and so is the table (expected: one of them or both)"
                        : "\"" + channel + "\" (expected: the name of a channel)");
        violations.require(
                source.getBatchMax() == 0
                        || (hasTable
                                && source.getBatchMax() >= 1
                                && source.getBatchMax() <= PostgresSettings.BATCH_MAX),
                field + ".batch_max",
                source.getBatchMax() + " (expected: 1 to " + PostgresSettings.BATCH_MAX
                        + ", for a trigger with a table)");
        violations.require(
                source.getStart() != PostgresSource.Start.UNRECOGNIZED
                        && (hasTable || source.getStart() == PostgresSource.Start.START_UNSPECIFIED),
                field + ".start",
                "is unknown, or there is no table (expected: earliest or latest, for a trigger with a table)");
        Duration interval = violations
                .collect(field + ".interval", () -> interval(source))
                .orElse(PostgresSettings.INTERVAL_DEFAULT);
        violations.require(
                interval.compareTo(PostgresSettings.INTERVAL_MIN) >= 0
                        && interval.compareTo(PostgresSettings.INTERVAL_MAX) <= 0
                        && (hasTable || !source.hasInterval()),
                field + ".interval",
                Durations.text(interval) + " (expected: " + Durations.text(PostgresSettings.INTERVAL_MIN) + " to "
                        + Durations.text(PostgresSettings.INTERVAL_MAX) + ", for a trigger with a table)");
    }

    /** The settings as they were stored. */
    static PostgresSettings settings(ByteString stored) {
        try {
            PostgresSource source = PostgresSource.parseFrom(stored);
            String column = source.getColumn().isEmpty() ? COLUMN_DEFAULT : source.getColumn();
            return new PostgresSettings(
                    source.getConnection(),
                    some(source.getTable()).map(table -> new PostgresSettings.Table(table, column)),
                    some(source.getChannel()),
                    interval(source),
                    source.getBatchMax() == 0 ? Optional.empty() : Optional.of(source.getBatchMax()),
                    source.getStart() == PostgresSource.Start.START_LATEST);
        } catch (InvalidProtocolBufferException damaged) {
            throw new IllegalStateException("the stored settings of a trigger are no message of its kind", damaged);
        }
    }

    private static Optional<String> some(String text) {
        return Optional.of(text).filter(given -> !given.isEmpty());
    }

    private static Duration interval(PostgresSource source) {
        return source.hasInterval() ? TimeProtos.duration(source.getInterval()) : PostgresSettings.INTERVAL_DEFAULT;
    }
}
