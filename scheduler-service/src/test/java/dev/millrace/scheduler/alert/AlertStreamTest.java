package dev.millrace.scheduler.alert;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.alert.core.Alert;
import dev.millrace.scheduler.alert.core.Channel;
import dev.millrace.scheduler.config.AlertConfig;
import dev.millrace.scheduler.config.SecretsConfig;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.event.Events;
import dev.millrace.scheduler.event.Recording;
import dev.millrace.scheduler.eventlog.EventRows;
import dev.millrace.scheduler.expression.JsonValue;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.runtime.EventBus;
import dev.millrace.scheduler.secret.SecretParts;
import dev.millrace.scheduler.testing.MigratedDatabase;
import dev.millrace.tls.AddressRule;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.clients.producer.RoundRobinPartitioner;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.NotEnoughReplicasException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests alerts with a topic against brokers that refuse, lose answers and go away, and schedulers that lose their alerts. */
class AlertStreamTest {
    private static final Duration HELD = Duration.ofSeconds(60);
    private static final int ROUNDS = 30;
    private static final int NAMES = 3;
    private static final UUID[] SCHEDULERS = {new UUID(1, 1), new UUID(2, 2)};

    @RegisterExtension
    private final MigratedDatabase postgres = new MigratedDatabase();

    @TempDir
    private Path folder;

    private final long seed = Long.getLong("millrace.test.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final Brokers brokers = new Brokers();
    private final List<String> happened = new ArrayList<>();
    private Database database;
    private Recording recording;
    private Events events;
    private SecretParts secrets;
    private Alerts alerts;
    private AlertStore store;

    @BeforeEach
    void start() {
        database = postgres.database();
        EventBus bus = new EventBus();
        recording = new Recording(database, bus).start();
        events = new Events(database, bus, recording, Duration.ofDays(3));
        secrets = SecretParts.start(
                new SecretsConfig(folder.resolve("keys"), Optional.empty(), Optional.empty()),
                database,
                new IdSource(System::currentTimeMillis, random),
                random);
        alerts = new Alerts(database, events, brokers, new HttpSender(rule(false)), false, (_, _) -> {}, () -> {});
        store = new AlertStore(database);
    }

    @AfterEach
    void stop() {
        secrets.close();
        recording.close();
    }

    @Test
    void losesNoEventAndKeepsTheOrderOfEachKey() throws InterruptedException {
        put("all", "structured");
        List<AlertSender> senders = List.of(sender(SCHEDULERS[0], Duration.ZERO), sender(SCHEDULERS[1], Duration.ZERO));
        List<HeldAlert> stale = new ArrayList<>(store.claim(SCHEDULERS[0], 10, HELD));
        brokers.areHardToFind = true;
        for (int round = 0; round < ROUNDS; round++) {
            happens(random.nextInt(8));
            brokers.trouble = random.nextInt(3) == 0 ? random.nextInt(6) : Integer.MAX_VALUE;
            brokers.takeover = random.nextInt(4) == 0 ? random.nextInt(6) : Integer.MAX_VALUE;
            int which = random.nextInt(SCHEDULERS.length);
            List<HeldAlert> held = store.claim(SCHEDULERS[which], 10, HELD);
            stale.addAll(held);
            for (HeldAlert each : held) {
                senders.get(which).work(each);
            }
            // A scheduler that was frozen works on what it held long ago.
            senders.get(random.nextInt(SCHEDULERS.length)).work(stale.get(random.nextInt(stale.size())));
            if (random.nextInt(3) == 0) {
                // The holder is late: nobody holds the alert any more.
                database.run(dsl -> dsl.execute("update alert set held_until = now() - interval '1 second'"));
            }
        }
        brokers.trouble = Integer.MAX_VALUE;
        brokers.takeover = Integer.MAX_VALUE;
        database.run(dsl -> dsl.execute("update alert set held_until = null"));
        happens(1);
        for (HeldAlert each : store.claim(SCHEDULERS[0], 10, HELD)) {
            senders.getFirst().work(each);
        }

        for (int name = 0; name < NAMES; name++) {
            String key = "shop/" + name;
            assertThat(new ArrayList<>(new LinkedHashSet<>(brokers.numbers(key))))
                    .as("events of %s, seed %s", key, seed)
                    .isEqualTo(happened.stream()
                            .filter(each -> each.startsWith(key + " "))
                            .toList());
        }
        assertThat(alerts.get(Workspace.DEFAULT, "all").trouble()).isEmpty();
    }

    @Test
    void saysWhyEventsWaitUntilTheyAreSent() throws InterruptedException {
        put("all", "binary");
        AlertSender sender = sender(SCHEDULERS[0], TopicSender.PAUSE);
        happens(2);
        brokers.trouble = 1;
        work(sender);
        assertThat(alerts.get(Workspace.DEFAULT, "all").trouble())
                .isEqualTo("Events cannot be sent to the topic events over the resource shop/kafka: too few replicas");
        work(sender);
        assertThat(brokers.accepted).as("the alert rests after a failure").hasSize(1);

        brokers.trouble = Integer.MAX_VALUE;
        work(sender(SCHEDULERS[0], Duration.ZERO));
        assertThat(alerts.get(Workspace.DEFAULT, "all").trouble()).isEmpty();
        assertThat(brokers.accepted).hasSize(3);
        ProducerRecord<byte[], byte[]> last = brokers.accepted.getLast();
        assertThat(header(last, "ce_type")).isEqualTo("dev.millrace.flow.deployed");
        assertThat(header(last, "content-type")).isEqualTo("application/json");
        assertThat(JsonValue.of(new String(last.value(), UTF_8)).members()).containsKey("n");
    }

    @Test
    void aWorkspaceHasHalfOfTheTopicsAtMost() throws InterruptedException {
        database.run(dsl -> dsl.execute("""
                insert into alert (workspace, name, types, channel, connection, topic, created_by)
                select 'default', 'a' || n, '{run.*}', 'kafka', 'shop/kafka', 'events', 'ada' from generate_series(1, 50) n
                """));
        assertThatThrownBy(() -> put("one-more", "structured"))
                .isInstanceOf(MillraceException.class)
                .hasMessageContaining("has 50 alerts with a topic, as many as it may have");
        put("a7", "binary");
    }

    private void put(String name, String mode) throws InterruptedException {
        alerts.put(new Alert(
                Workspace.DEFAULT,
                name,
                List.of("flow.*"),
                Optional.empty(),
                Optional.empty(),
                new Channel.Kafka("shop/kafka", "events", mode.equals("binary")),
                false,
                "ada",
                Instant.EPOCH,
                "",
                0,
                0,
                ""));
    }

    private AlertSender sender(UUID self, Duration pause) {
        return new AlertSender(
                database,
                events,
                new Messages(
                        secrets.secrets(),
                        new HttpSender(rule(false)),
                        Optional.empty(),
                        Optional.empty(),
                        InstantSource.system()),
                new TopicSender(brokers, pause),
                random,
                self,
                new Metrics());
    }

    private void work(AlertSender sender) throws InterruptedException {
        for (HeldAlert held : store.claim(SCHEDULERS[0], 10, HELD)) {
            sender.work(held);
        }
    }

    private void happens(int times) {
        for (int n = 0; n < times; n++) {
            String path = "shop/" + random.nextInt(NAMES);
            String number = Integer.toString(happened.size());
            database.transaction(dsl -> {
                EventRows.insert(dsl, Workspace.DEFAULT, "flow.deployed", path, Map.of("n", number));
                return 0;
            });
            happened.add(path + " " + number);
        }
    }

    private static String header(ProducerRecord<byte[], byte[]> message, String name) {
        return new String(message.headers().lastHeader(name).value(), UTF_8);
    }

    /** Brokers whose producers fail after a number of messages, each in one of the ways that there are. */
    private final class Brokers implements TopicProducers {
        private final List<ProducerRecord<byte[], byte[]>> accepted = new ArrayList<>();
        /** Number of messages until a producer fails. */
        private int trouble = Integer.MAX_VALUE;
        /** Number of messages until another scheduler takes the alert. */
        private int takeover = Integer.MAX_VALUE;
        /** Whether a producer sometimes cannot be opened, because the host is unknown. */
        private boolean areHardToFind;

        @Override
        public Producer<byte[], byte[]> open(Workspace workspace, String connection) throws IOException {
            if (areHardToFind && trouble < Integer.MAX_VALUE && random.nextInt(10) == 0) {
                throw new IOException("the host is unknown");
            }
            return new Failing();
        }

        @Override
        public Optional<String> problem(Workspace workspace, String connection) {
            return Optional.empty();
        }

        /** What the brokers have of a key, in their order. */
        List<String> numbers(String key) {
            return accepted.stream()
                    .filter(message -> new String(message.key(), UTF_8).equals(key))
                    .map(message -> key + " " + number(new String(message.value(), UTF_8)))
                    .toList();
        }

        private static String number(String event) {
            JsonValue data = JsonValue.of(event).members().getOrDefault("data", JsonValue.NULL);
            return data.members().getOrDefault("n", JsonValue.NULL).string();
        }

        private final class Failing extends MockProducer<byte[], byte[]> {
            private boolean isBroken;

            Failing() {
                super(true, new RoundRobinPartitioner(), new ByteArraySerializer(), new ByteArraySerializer());
            }

            @Override
            public synchronized Future<RecordMetadata> send(ProducerRecord<byte[], byte[]> message) {
                if (takeover-- == 0) {
                    database.run(dsl -> dsl.execute("update alert set holder = ?", new UUID(3, 3)));
                    database.run(dsl -> dsl.execute("update alert set held_until = now() - interval '1 second'"));
                }
                isBroken = isBroken || trouble-- == 0;
                if (!isBroken) {
                    accepted.add(message);
                    return super.send(message);
                }
                if (random.nextInt(3) == 0) {
                    throw new KafkaException("too few replicas");
                }
                return CompletableFuture.failedFuture(new NotEnoughReplicasException("too few replicas"));
            }
        }
    }

    private static AddressRule rule(boolean allowsPrivate) {
        return new AlertConfig(allowsPrivate, Optional.empty()).addressRule();
    }
}
