package dev.millrace.scheduler.identity.login;

import dev.millrace.scheduler.access.AddressGroup;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.identity.login.core.DevicePoll;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import org.jooq.DSLContext;
import org.jooq.Record;

/** Programs that want tokens, in Postgres. Times are those of the database's clock. */
final class DeviceStore {

    private static final String INSERT = """
            insert into device_authorization (device_hash, user_hash, client_name, address, site, expires_at, interval_millis)
            values (?, ?, ?, ?, ?, now() + ? * interval '1 millisecond', ?)
            on conflict do nothing
            """;
    private static final String MAKE_ROOM = FairRows.makingRoomIn("device_authorization", "device_hash");

    private static final String UNDECIDED = " where user_hash = ? and decision is null and expires_at > now()";
    private static final String COLUMNS = "client_name, address, created_at, expires_at";
    private static final String FIND = "select " + COLUMNS + " from device_authorization" + UNDECIDED;
    private static final String DECIDE =
            "update device_authorization set decision = ?, approved_with = ?" + UNDECIDED + " returning " + COLUMNS;
    private static final String LOCK = """
            select client_name, expires_at, interval_millis, polled_at, decision, approved_with, now() as read_at
            from device_authorization where device_hash = ? for update
            """;
    private static final String NOTE_POLL = """
            update device_authorization set polled_at = now(), interval_millis = interval_millis + ? where device_hash = ?
            """;
    private static final String DELETE = "delete from device_authorization where device_hash = ?";

    private final Database database;

    DeviceStore(Database database) {
        this.database = database;
    }

    /** An authorization that has been decided or not, at the time of a poll. */
    record Polled(DevicePoll poll, String clientName, Optional<UUID> approvedWith) {}

    /** Stores an authorization. Returns false if the code is in use. */
    boolean insert(byte[] deviceHash, byte[] userHash, String clientName, String address, Duration validFor) {
        return database.transaction(dsl -> {
            boolean isStored = dsl.execute(
                            INSERT,
                            deviceHash,
                            userHash,
                            clientName,
                            address,
                            AddressGroup.siteOf(address),
                            validFor.toMillis(),
                            DevicePoll.INTERVAL.toMillis())
                    == 1;
            dsl.execute(MAKE_ROOM, FairRows.ROWS_MAX);
            return isStored;
        });
    }

    /** The program with this code, if nobody has decided yet. */
    Optional<Device> find(byte[] userHash) {
        return database.run(dsl -> dsl.fetch(FIND, (Object) userHash).stream()
                .map(DeviceStore::device)
                .findFirst());
    }

    /** Approves with a token, or denies without one; empty if somebody has decided, or if there is no such code. */
    Optional<Device> decide(byte[] userHash, Optional<UUID> approvedWith) {
        return database.run(
                dsl -> dsl
                        .fetch(
                                DECIDE,
                                approvedWith.isPresent() ? "approved" : "denied",
                                approvedWith.orElse(null),
                                userHash)
                        .stream()
                        .map(DeviceStore::device)
                        .findFirst());
    }

    /** Notes a poll and removes what has been decided, so that it is returned once; empty if there is none. */
    Optional<Polled> poll(byte[] deviceHash) {
        return database.transaction(dsl ->
                dsl.fetch(LOCK, (Object) deviceHash).stream().findFirst().map(row -> poll(dsl, deviceHash, row)));
    }

    private static Polled poll(DSLContext dsl, byte[] deviceHash, Record row) {
        DevicePoll poll = DevicePoll.decide(state(row), time(row, "read_at").orElseThrow());
        switch (poll) {
            case PENDING -> dsl.execute(NOTE_POLL, 0L, deviceHash);
            case SLOW_DOWN -> dsl.execute(NOTE_POLL, DevicePoll.SLOWER.toMillis(), deviceHash);
            case DENIED, EXPIRED, APPROVED -> dsl.execute(DELETE, (Object) deviceHash);
        }
        return new Polled(
                poll, row.get("client_name", String.class), Optional.ofNullable(row.get("approved_with", UUID.class)));
    }

    private static DevicePoll.State state(Record row) {
        return new DevicePoll.State(
                time(row, "expires_at").orElseThrow(),
                Duration.ofMillis(row.get("interval_millis", Long.class)),
                time(row, "polled_at"),
                Optional.ofNullable(row.get("decision", String.class)).map("approved"::equals));
    }

    private static Device device(Record row) {
        return new Device(
                row.get("client_name", String.class),
                row.get("address", String.class),
                time(row, "created_at").orElseThrow(),
                time(row, "expires_at").orElseThrow());
    }

    private static Optional<Instant> time(Record row, String column) {
        return Optional.ofNullable(row.get(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }
}
