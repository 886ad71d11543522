package dev.millrace.scheduler.alert;

import dev.millrace.scheduler.alert.core.Alert;
import dev.millrace.scheduler.alert.core.Channel;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Alerts in Postgres, and who holds them. */
final class AlertStore {
    private static final String COUNT = "select count(*) from alert where workspace = ? and name <> ?";
    private static final String COUNT_STREAMS = """
            select count(*) filter (where workspace = ?) as in_workspace, count(*) as in_all from alert
            where channel = 'kafka' and (workspace, name) <> (?, ?)
            """;
    private static final String LOCK_STREAMS = "select pg_advisory_xact_lock(hashtextextended('millrace streams', 0))";
    private static final String LOCK = "select pg_advisory_xact_lock(hashtextextended('millrace alerts ' || ?, 0))";
    private static final String PUT = """
            insert into alert (workspace, name, types, folder, path, channel, url, url_secret, signing_secret, recipients, connection, topic,
                binary_mode, created_by, position)
            values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            on conflict (workspace, name) do update
            set types = excluded.types, folder = excluded.folder, path = excluded.path, channel = excluded.channel, url = excluded.url,
                url_secret = excluded.url_secret, signing_secret = excluded.signing_secret, recipients = excluded.recipients,
                connection = excluded.connection, topic = excluded.topic, binary_mode = excluded.binary_mode, trouble = '',
                created_by = excluded.created_by, changed_at = now(), version = alert.version + 1
            """;
    private static final String COUNTS = """
            (select count(*) from alert_delivery d where d.workspace = a.workspace and d.alert = a.name and d.state = 'pending') as waiting,
            (select count(*) from alert_delivery d where d.workspace = a.workspace and d.alert = a.name and d.state = 'dead') as dead
            """;
    private static final String LIST =
            "select a.*, " + COUNTS + " from alert a where a.workspace = ? and a.name > ? order by a.name limit ?";
    private static final String FIND = "select a.*, " + COUNTS + " from alert a where a.workspace = ? and a.name = ?";
    private static final String PAUSE =
            "update alert set paused = ?, changed_at = now(), version = version + 1 where workspace = ? and name = ?";
    private static final String DELETE = "delete from alert where workspace = ? and name = ?";
    private static final String CLAIM = """
            with free as (
                select workspace, name from alert
                where not paused and (held_until is null or held_until <= now() or holder = ?)
                order by held_until nulls first, workspace, name limit ? for update skip locked
            )
            update alert a set holder = ?, held_until = now() + ? * interval '1 millisecond'
            from free f where a.workspace = f.workspace and a.name = f.name
            returning a.*, 0::bigint as waiting, 0::bigint as dead
            """;
    private static final String RELEASE = "update alert set held_until = null, holder = null where holder = ?";
    private static final String MOVE = """
            update alert set position = ?, gap = coalesce(?, gap)
            where workspace = ? and name = ? and holder = ? and held_until > now() and version = ? and position = ? and not paused
            """;
    private static final String STANDS = """
            select from alert
            where workspace = ? and name = ? and holder = ? and held_until > now() and version = ? and position = ? and not paused
            """;
    private static final String SET_TROUBLE =
            "update alert set trouble = ? where workspace = ? and name = ? and holder = ? and version = ? and trouble <> ?";
    private static final String ADD = """
            insert into alert_delivery (workspace, alert, event_id, event_type, event, next_at)
            values (?, ?, ?, ?, ?::json, now()) on conflict do nothing
            """;

    private final Database database;

    AlertStore(Database database) {
        this.database = database;
    }

    /** Stores an alert, unless there are as many as there may be. A new one begins at the position. */
    Room put(Alert alert, String position) {
        return database.transaction(dsl -> {
            dsl.fetch(LOCK, alert.workspace().name());
            long others = dsl.fetchSingle(COUNT, alert.workspace().name(), alert.name())
                    .get(0, Long.class);
            if (others >= Alert.ALERTS_MAX) {
                return Room.WORKSPACE_FULL;
            }
            Room room = alert.channel() instanceof Channel.Kafka ? streams(dsl, alert) : Room.FREE;
            if (room != Room.FREE) {
                return room;
            }
            dsl.execute(
                    PUT,
                    alert.workspace().name(),
                    alert.name(),
                    alert.types().toArray(String[]::new),
                    alert.folder().orElse(""),
                    alert.path().orElse(""),
                    alert.channel().text(),
                    address(alert.channel()).url(),
                    address(alert.channel()).secret(),
                    alert.channel() instanceof Channel.Webhook webhook
                            ? webhook.signingSecret().orElse("")
                            : "",
                    alert.channel() instanceof Channel.Email email
                            ? email.recipients().toArray(String[]::new)
                            : new String[0],
                    alert.channel() instanceof Channel.Kafka kafka ? kafka.connection() : "",
                    alert.channel() instanceof Channel.Kafka kafka ? kafka.topic() : "",
                    alert.channel() instanceof Channel.Kafka kafka && kafka.isBinary(),
                    alert.createdBy(),
                    position);
            return Room.FREE;
        });
    }

    private static Room streams(DSLContext dsl, Alert alert) {
        dsl.fetch(LOCK_STREAMS);
        String workspace = alert.workspace().name();
        Record others = dsl.fetchSingle(COUNT_STREAMS, workspace, workspace, alert.name());
        if (others.get("in_workspace", Long.class) >= Alert.STREAMS_OF_WORKSPACE_MAX) {
            return Room.STREAMS_OF_WORKSPACE_FULL;
        }
        return others.get("in_all", Long.class) >= Alert.STREAMS_MAX ? Room.STREAMS_FULL : Room.FREE;
    }

    private static Channel.Address address(Channel channel) {
        return switch (channel) {
            case Channel.Webhook webhook -> webhook.address();
            case Channel.Slack slack -> slack.address();
            case Channel.Email _, Channel.Kafka _ -> new Channel.Address("", "");
        };
    }

    List<Alert> list(Workspace workspace, String afterName, int limit) {
        return database.run(
                dsl -> dsl.fetch(LIST, workspace.name(), afterName, limit).map(AlertStore::alert));
    }

    Optional<Alert> find(AlertKey key) {
        return database.run(dsl -> dsl.fetch(FIND, key.workspace().name(), key.name()).stream()
                .findFirst()
                .map(AlertStore::alert));
    }

    boolean pause(AlertKey key, boolean isPaused) {
        return database.run(dsl -> dsl.execute(PAUSE, isPaused, key.workspace().name(), key.name()) == 1);
    }

    boolean delete(AlertKey key) {
        return database.run(dsl -> dsl.execute(DELETE, key.workspace().name(), key.name()) == 1);
    }

    /**
     * Takes the alerts that nobody holds, and prolongs those that this scheduler holds. If there are more than the limit,
     * they take turns.
     */
    List<HeldAlert> claim(UUID holder, int limit, Duration held) {
        return database.run(dsl -> dsl.fetch(CLAIM, holder, limit, holder, held.toMillis())
                .map(row -> new HeldAlert(
                        alert(row), row.get("version", Integer.class), row.get("position", String.class))));
    }

    /** Lets others take the alerts at once. */
    void release(UUID holder) {
        database.run(dsl -> dsl.execute(RELEASE, holder));
    }

    /**
     * Adds the messages of events, and moves the position of the alert beyond them. Returns false if nothing was done,
     * because another scheduler holds the alert or somebody has changed it.
     */
    boolean move(HeldAlert held, UUID holder, String position, Optional<String> gap, List<NewDelivery> messages) {
        return database.tryTransaction(dsl -> {
                    String workspace = held.alert().workspace().name();
                    String name = held.alert().name();
                    int moved = dsl.execute(
                            MOVE, position, gap.orElse(null), workspace, name, holder, held.version(), held.position());
                    if (moved == 0) {
                        return Optional.<Boolean>empty();
                    }
                    messages.forEach(message ->
                            dsl.execute(ADD, workspace, name, message.eventId(), message.type(), message.event()));
                    return Optional.of(true);
                })
                .isPresent();
    }

    /** Whether this scheduler holds the alert, and it stands where memory says. */
    boolean stands(HeldAlert held, UUID holder) {
        return database.run(dsl -> !dsl.fetch(
                        STANDS,
                        held.alert().workspace().name(),
                        held.alert().name(),
                        holder,
                        held.version(),
                        held.position())
                .isEmpty());
    }

    /** Notes why the events of an alert cannot be sent now; empty if they can. Returns whether that is new. */
    boolean trouble(HeldAlert held, UUID holder, String trouble) {
        return database.run(dsl -> dsl.execute(
                        SET_TROUBLE,
                        trouble,
                        held.alert().workspace().name(),
                        held.alert().name(),
                        holder,
                        held.version(),
                        trouble)
                == 1);
    }

    private static Alert alert(Record row) {
        Channel.Address address =
                new Channel.Address(row.get("url", String.class), row.get("url_secret", String.class));
        Channel channel = switch (row.get("channel", String.class)) {
            case "slack" -> new Channel.Slack(address);
            case "kafka" ->
                new Channel.Kafka(
                        row.get("connection", String.class),
                        row.get("topic", String.class),
                        row.get("binary_mode", Boolean.class));
            case "email" -> new Channel.Email(List.of(row.get("recipients", String[].class)));
            default -> new Channel.Webhook(address, text(row, "signing_secret"));
        };
        return new Alert(
                new Workspace(row.get("workspace", String.class)),
                row.get("name", String.class),
                List.of(row.get("types", String[].class)),
                text(row, "folder"),
                text(row, "path"),
                channel,
                row.get("paused", Boolean.class),
                row.get("created_by", String.class),
                row.get("changed_at", OffsetDateTime.class).toInstant(),
                row.get("gap", String.class),
                row.get("waiting", Long.class),
                row.get("dead", Long.class),
                row.get("trouble", String.class));
    }

    private static Optional<String> text(Record row, String column) {
        return Optional.of(row.get(column, String.class)).filter(text -> !text.isEmpty());
    }
}
