package dev.millrace.scheduler.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.alert.core.Alert;
import dev.millrace.scheduler.alert.core.Channel;
import dev.millrace.scheduler.alert.core.Delivery;
import dev.millrace.scheduler.config.AlertConfig;
import dev.millrace.scheduler.config.SecretsConfig;
import dev.millrace.scheduler.config.SmtpConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.ErrorCode;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.event.Events;
import dev.millrace.scheduler.event.Recording;
import dev.millrace.scheduler.eventlog.EventRows;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.resource.Resources;
import dev.millrace.scheduler.rpc.PageRequest;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.secret.SecretParts;
import dev.millrace.scheduler.testing.MigratedDatabase;
import dev.millrace.scheduler.trigger.TriggerConnections;
import dev.millrace.tls.AddressRule;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests messages of alerts, with a real HTTP server and a real mail server. Time passes by moving what is stored. */
class AlertSenderTest {
    private static final Duration HELD = Duration.ofSeconds(60);
    private static final int STATUS_OK = 204;

    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    @TempDir
    private Path folder;

    private final List<Request> received = new CopyOnWriteArrayList<>();
    private final AtomicInteger status = new AtomicInteger(STATUS_OK);
    private final UUID self = new UUID(1, 1);
    private Database database;
    private Recording recording;
    private Events events;
    private SecretParts secrets;
    private HttpServer server;
    private GreenMail mail;
    private Alerts alerts;
    private AlertStore store;
    private AlertSender sender;

    private record Request(String id, String body) {}

    @BeforeEach
    void start() throws IOException {
        database = postgres.database();
        EventBus bus = new EventBus();
        recording = new Recording(database, bus).start();
        events = new Events(database, bus, recording, Duration.ofDays(3));
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            if (status.get() < 300) {
                received.add(new Request(exchange.getRequestHeaders().getFirst("webhook-id"), body));
            }
            exchange.sendResponseHeaders(status.get(), -1);
            exchange.close();
        });
        server.start();
        mail = new GreenMail(new ServerSetup(0, "127.0.0.1", ServerSetup.PROTOCOL_SMTP));
        mail.start();
        Random random = new Random(5);
        secrets = SecretParts.start(
                new SecretsConfig(folder.resolve("keys"), Optional.empty(), Optional.empty()),
                database,
                new IdSource(System::currentTimeMillis, random),
                random);
        sender = sender(true);
        alerts = new Alerts(database, events, topics(), new HttpSender(rule(true)), true, (_, _) -> {}, () -> {});
        store = new AlertStore(database);
    }

    @AfterEach
    void stop() {
        server.stop(0);
        mail.stop();
        secrets.close();
        recording.close();
    }

    @Test
    void losesNothingWhileAReceiverIsDownForAnHour() throws InterruptedException {
        put(webhook());
        status.set(503);
        for (int minute = 0; minute < 60; minute++) {
            happens("shop/a" + minute);
            work();
            pass(Duration.ofMinutes(1));
        }
        assertThat(received).isEmpty();
        status.set(STATUS_OK);
        for (int minute = 0; minute < 20; minute++) {
            pass(Duration.ofMinutes(1));
            work();
        }

        assertThat(received).hasSize(60);
        assertThat(received.stream().map(Request::id).distinct()).hasSize(60);
        assertThat(received.getFirst().body()).contains("\"dev.millrace.flow.deployed\"", "shop/a");
        assertThat(states()).containsOnly("delivered");
    }

    @Test
    void givesUpAfterADayAndSendsAgainOnRequest() throws InterruptedException {
        put(webhook());
        happens("shop/a");
        status.set(500);
        for (int hour = 0; hour < 26; hour++) {
            work();
            pass(Duration.ofHours(1));
        }
        assertThat(states()).containsExactly("dead");

        status.set(STATUS_OK);
        assertThat(alerts.replay(Workspace.DEFAULT, "all", Optional.empty())).isEqualTo(1);
        work();

        assertThat(states()).containsExactly("delivered");
        assertThat(received).hasSize(1);
    }

    @Test
    void sendsNothingOfOtherFoldersAndNothingToPrivateAddresses() throws InterruptedException {
        put(new Alert(
                Workspace.DEFAULT,
                "all",
                List.of("flow.*"),
                Optional.of("shop"),
                Optional.empty(),
                webhook(),
                false,
                "ada",
                Instant.EPOCH,
                "",
                0,
                0,
                ""));
        sender = sender(false);
        happens("other/a");
        happens("shop/a");
        work();

        assertThat(received).isEmpty();
        assertThat(deliveries()).hasSize(1);
        assertThat(deliveries().getFirst().error()).contains("no public address", "millrace.alert.allow-private");
    }

    @Test
    void refusesReceiversToWhichItWouldNeverSend() throws InterruptedException {
        List<String> refused = List.of(
                "http://127.0.0.1:9/x",
                "http://[::1]/x",
                "http://10.1.2.3/x",
                "http://169.254.169.254/latest",
                "http://[::ffff:192.168.0.1]/x",
                "https://LOCALHOST/x",
                "https://a.localhost/x");
        List<String> taken = List.of(
                "https://1.1.1.1/x",
                "https://[2606:4700::1111]/x",
                "https://unknown.example/x",
                "https://localhost.example/x");
        Alerts guarded =
                new Alerts(database, events, topics(), new HttpSender(rule(false)), true, (_, _) -> {}, () -> {});
        for (String url : refused) {
            assertThatThrownBy(() -> guarded.put(alert("all", slack(url))))
                    .isInstanceOf(MillraceException.class)
                    .hasMessageContainingAll("alert.slack.url", url, "millrace.alert.allow-private");
            put(slack(url));
        }
        for (String url : taken) {
            guarded.put(alert("all", slack(url)));
        }
    }

    private static Channel slack(String url) {
        return new Channel.Slack(new Channel.Address(url, ""));
    }

    @Test
    void onlyTheHolderMovesAnAlert() throws InterruptedException {
        put(webhook());
        HeldAlert mine = store.claim(self, 10, HELD).getFirst();
        assertThat(store.claim(new UUID(2, 2), 10, HELD)).isEmpty();
        database.run(dsl -> dsl.execute("update alert set held_until = now() - interval '1 second'"));
        HeldAlert theirs = store.claim(new UUID(2, 2), 10, HELD).getFirst();

        assertThat(store.move(mine, self, "1-9-0-9", Optional.empty(), List.of()))
                .isFalse();
        assertThat(store.move(theirs, new UUID(2, 2), "1-9-0-9", Optional.empty(), List.of()))
                .isTrue();
    }

    @Test
    void alertsTakeTurnsIfThereAreMoreThanASchedulerHolds() throws InterruptedException {
        for (String name : List.of("a", "b", "c")) {
            put(name, webhook());
        }

        assertThat(names(store.claim(self, 2, HELD))).containsExactlyInAnyOrder("a", "b");
        assertThat(names(store.claim(self, 2, HELD))).contains("c");
        assertThat(names(store.claim(self, 3, HELD))).hasSize(3);
    }

    private static List<String> names(List<HeldAlert> held) {
        return held.stream().map(each -> each.alert().name()).toList();
    }

    @Test
    void sendsMailsAndTextsForSlack() throws Exception {
        put(new Channel.Email(List.of("ops@example.com")));
        happens("shop/a");
        work();
        mail.waitForIncomingEmail(1);

        assertThat(mail.getReceivedMessages()[0].getSubject()).isEqualTo("[Millrace] Flow deployed: shop/a");
        put(new Channel.Slack(new Channel.Address(url(), "")));
        happens("shop/<b>");
        work();
        assertThat(received.getFirst().body()).contains("{\"text\":\"*Flow deployed: shop/&lt;b&gt;*");
    }

    @Test
    void aTopicNeedsAResource() {
        assertThatThrownBy(() -> put(new Channel.Kafka("shop/none", "events", false)))
                .isInstanceOfSatisfying(
                        MillraceException.class,
                        refused -> assertThat(refused.code()).isEqualTo(ErrorCode.RESOURCE_NOT_FOUND));
    }

    @Test
    void signsAsStandardWebhooksSay() {
        // The example of the specification.
        assertThat(Signature.of(
                        "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
                        "msg_p5jXN8AQM9LWM0D4loKWxJek",
                        1_614_265_330,
                        "{\"test\": 2432232314}"))
                .isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
    }

    private AlertSender sender(boolean allowsPrivate) {
        SmtpConfig smtp = new SmtpConfig(
                "127.0.0.1",
                mail.getSmtp().getPort(),
                SmtpConfig.Security.NONE,
                "millrace@example.com",
                Optional.empty(),
                "");
        return new AlertSender(
                database,
                events,
                new Messages(
                        secrets.secrets(),
                        new HttpSender(rule(allowsPrivate)),
                        Optional.of(new MailSender(smtp)),
                        Optional.of(URI.create("https://millrace.example.com/console/")),
                        InstantSource.system()),
                new TopicSender(topics(), TopicSender.PAUSE),
                new Random(3),
                self,
                new Metrics());
    }

    private TopicProducers topics() {
        return new BrokerProducers(new TriggerConnections(secrets.secrets(), new Resources(database)), rule(true));
    }

    private Channel webhook() {
        return new Channel.Webhook(new Channel.Address(url(), ""), Optional.empty());
    }

    private String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort() + "/hook";
    }

    private void put(Channel channel) throws InterruptedException {
        put("all", channel);
    }

    private void put(String name, Channel channel) throws InterruptedException {
        put(alert(name, channel));
    }

    private static Alert alert(String name, Channel channel) {
        return new Alert(
                Workspace.DEFAULT,
                name,
                List.of("flow.*"),
                Optional.empty(),
                Optional.empty(),
                channel,
                false,
                "ada",
                Instant.EPOCH,
                "",
                0,
                0,
                "");
    }

    private void put(Alert alert) throws InterruptedException {
        alerts.put(alert);
    }

    private void happens(String path) {
        database.transaction(dsl -> {
            EventRows.insert(dsl, Workspace.DEFAULT, "flow.deployed", path, Map.of());
            return 0;
        });
    }

    private void work() throws InterruptedException {
        for (HeldAlert held : store.claim(self, 10, HELD)) {
            sender.work(held);
        }
    }

    /** Lets time pass for what waits. */
    private void pass(Duration time) {
        database.run(dsl -> dsl.execute(
                "update alert_delivery set next_at = next_at - ? * interval '1 second', tried_since = tried_since - ? * interval '1 second'",
                time.toSeconds(),
                time.toSeconds()));
    }

    private List<Delivery> deliveries() {
        return alerts.deliveries(Workspace.DEFAULT, "all", "", new PageRequest(1_000, ""))
                .items();
    }

    private List<String> states() {
        return deliveries().stream().map(Delivery::state).toList();
    }

    private static AddressRule rule(boolean allowsPrivate) {
        return new AlertConfig(allowsPrivate, Optional.empty()).addressRule();
    }
}
