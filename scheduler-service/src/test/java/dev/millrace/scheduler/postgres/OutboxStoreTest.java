package dev.millrace.scheduler.postgres;

import static dev.millrace.scheduler.postgres.OutboxStore.Purpose.NOTIFICATIONS;
import static dev.millrace.scheduler.postgres.OutboxStore.Purpose.ROWS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.certificate.Authority;
import dev.millrace.certificate.Validity;
import dev.millrace.scheduler.config.DatabaseLocation;
import dev.millrace.scheduler.config.TriggerConfig;
import dev.millrace.scheduler.testing.TestDatabase;
import dev.millrace.scheduler.trigger.ListenTrouble;
import dev.millrace.tls.AnswerTurns;
import dev.millrace.tls.BoundedConnection;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Connections of triggers to a real Postgres: behind TLS, and at addresses that are not allowed. */
class OutboxStoreTest {
    private static final Validity DAY = Validity.ofNext(Duration.ofDays(1));
    private static final Authority AUTHORITY = Authority.create("trials", DAY);
    private static final AnswerTurns TURNS = new AnswerTurns(1, 256 << 10);
    private static final int CONNECT_MILLIS = 1_000;
    private static final int NOTIFICATIONS_MANY = 3_000;
    private static final int PAYLOAD_CHARS = 7_900;
    /** What 256 KiB and the buffers of the driver and of TLS hold. */
    private static final int STEP_MAX = 60;

    private static final TestDatabase SHOP = TestDatabase.empty();
    private static final DatabaseLocation LOCATION = SHOP.config().location();
    private static TlsDoor door;

    @BeforeAll
    static void open() throws Exception {
        door = TlsDoor.open(AUTHORITY.issueForServer(List.of("localhost"), DAY), SHOP);
    }

    @AfterAll
    static void close() throws IOException {
        door.close();
        SHOP.close();
    }

    @Test
    void connectsOverTlsToAServerOfTheAuthority() throws ListenTrouble {
        int before = door.handshakes();
        try (OutboxStore store = OutboxStore.open(
                endpoint("localhost", "verify-full", Optional.of(AUTHORITY)), connection(true), ROWS)) {
            store.ping();
        }
        try (OutboxStore store =
                OutboxStore.open(endpoint("localhost", "require", Optional.empty()), connection(true), ROWS)) {
            store.ping();
        }
        assertThat(door.handshakes() - before).isEqualTo(2);
    }

    /** The driver would hold all of a burst at once. */
    @Test
    void readsABurstOfNotificationsInSteps() throws Exception {
        try (OutboxStore store = OutboxStore.open(behindTheDoor(), connection(true), NOTIFICATIONS)) {
            store.listen("burst");
            burst();
            int heard = 0;
            while (heard < NOTIFICATIONS_MANY) {
                List<String> step = store.notifications(Duration.ofSeconds(10));
                assertThat(step).hasSizeBetween(1, STEP_MAX);
                for (String payload : step) {
                    heard++;
                    assertThat(payload).startsWith(heard + "x");
                }
            }
            store.ping();
        }
    }

    @Test
    void givesAConnectionUpOnABurstThatCannotBeReadInSteps() throws Exception {
        try (OutboxStore store = OutboxStore.open(
                endpoint("localhost", "verify-full", Optional.of(AUTHORITY)), connection(true), NOTIFICATIONS)) {
            store.listen("burst");
            burst();
            assertThatThrownBy(() -> store.notifications(Duration.ofSeconds(10)))
                    .isInstanceOf(ListenTrouble.class)
                    .hasMessageContaining("more notifications came at once than are held");
        }
    }

    private static BoundedConnection connection(boolean allowsPrivate) {
        return BoundedConnection.open(new TriggerConfig(allowsPrivate).addressRule(), "shop", TURNS);
    }

    private static void burst() {
        SHOP.execute("select pg_notify('burst', n || repeat('x', " + PAYLOAD_CHARS + ")) from generate_series(1, "
                + NOTIFICATIONS_MANY + ") n");
    }

    @Test
    void refusesServersOfOthers() {
        assertThatThrownBy(() -> OutboxStore.open(
                        endpoint("localhost", "verify-full", Optional.of(Authority.create("somebody else", DAY))),
                        connection(true),
                        ROWS))
                .as("an authority that did not issue the certificate")
                .isInstanceOf(ListenTrouble.class)
                .hasMessageStartingWith("The database at localhost cannot be reached: ");
        assertThatThrownBy(() -> OutboxStore.open(
                        endpoint("localhost", "verify-full", Optional.empty()), connection(true), ROWS))
                .as("an authority that Java does not trust")
                .isInstanceOf(ListenTrouble.class);
        assertThatThrownBy(() -> OutboxStore.open(
                        endpoint("127.0.0.1", "verify-full", Optional.of(AUTHORITY)), connection(true), ROWS))
                .as("a certificate for another name")
                .isInstanceOf(ListenTrouble.class)
                .hasMessageContaining("127.0.0.1");
    }

    @Test
    void connectsToPublicAddressesOnly() throws IOException {
        assertThatThrownBy(() ->
                        OutboxStore.open(endpoint("localhost", "disable", Optional.empty()), connection(false), ROWS))
                .isInstanceOf(ListenTrouble.class)
                .hasMessageContaining("no public address; the setting millrace.trigger.allow-private");

        RowSocketFactory sockets = new RowSocketFactory(connection(false).name());
        for (String address : List.of("127.0.0.1", "10.0.0.1", "169.254.169.254", "0.0.0.0", "::1", "fd00::1")) {
            try (Socket socket = sockets.createSocket()) {
                assertThatThrownBy(() -> socket.connect(new InetSocketAddress(address, 5_432), CONNECT_MILLIS))
                        .as(address)
                        .isInstanceOf(UnknownHostException.class)
                        .hasMessageContaining("has no public address");
            }
        }
        try (Socket socket = sockets.createSocket()) {
            assertThatThrownBy(() ->
                            socket.connect(InetSocketAddress.createUnresolved("db.invalid", 5_432), CONNECT_MILLIS))
                    .hasMessage("the host db.invalid is unknown");
            assertThatThrownBy(() -> socket.connect(UnixDomainSocketAddress.of("/tmp/db"), CONNECT_MILLIS))
                    .isInstanceOf(UnknownHostException.class);
        }
    }

    private static Endpoint behindTheDoor() {
        URI server = URI.create(LOCATION.jdbcUrl().substring("jdbc:".length()));
        return new Endpoint(
                server.getHost(),
                server.getPort(),
                door.database(),
                LOCATION.user(),
                LOCATION.password(),
                "disable",
                Optional.empty());
    }

    private static Endpoint endpoint(String host, String mode, Optional<Authority> trusted) {
        return new Endpoint(
                host,
                door.port(),
                door.database(),
                "postgres",
                LOCATION.password(),
                mode,
                trusted.map(authority -> authority.certificate().certificatePem()));
    }
}
