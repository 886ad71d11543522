package dev.millrace.scheduler.kafka;

import dev.millrace.kafka.BoundedNetwork;
import dev.millrace.kafka.ResponseLimit;
import dev.millrace.kafka.ResponseTurns;
import dev.millrace.scheduler.error.MillraceException;
import dev.millrace.scheduler.kafka.core.Batches;
import dev.millrace.scheduler.kafka.core.ClientSettings;
import dev.millrace.scheduler.kafka.core.Message;
import dev.millrace.scheduler.trigger.ListenTrouble;
import dev.millrace.scheduler.trigger.TriggerConnections;
import dev.millrace.scheduler.trigger.TriggerLags;
import dev.millrace.scheduler.trigger.TriggerListener;
import dev.millrace.tls.AddressRule;
import java.net.UnknownHostException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.BoundedConsumers;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.CommitFailedException;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RebalanceInProgressException;
import org.apache.kafka.common.errors.WakeupException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Consumes topics. Messages are accepted first, and only then is their offset committed. A scheduler that dies in between
 * leaves messages that another one reads again; the position in the database says which of them were accepted.
 *
 * <p>Runs on a thread of its own; only {@link #stop} is called by others.
 */
final class TopicConsumer implements TriggerListener {
    private static final Logger log = LoggerFactory.getLogger(TopicConsumer.class);

    /** Number of messages from which on a consumer accepts them before it reads on. */
    private static final int RECORDS_MAX = 500;
    /** The same for their bytes. */
    private static final int READ_BYTES_MAX = 256 << 10;
    /** Number of messages from which on none waits for its batch. */
    private static final int WAITING_MAX = 1_000;
    /** Bytes of messages from which on none waits for its batch. */
    private static final int WAITING_BYTES_MAX = 1 << 20;
    /** Most bytes of one answer of a broker: batches of producers that are larger are skipped. */
    static final int RESPONSE_BYTES_MAX = 16 << 20;
    /** Most bytes of messages that a broker sends at once, unless its first batch is larger. */
    private static final int FETCH_BYTES_MAX = 256 << 10;
    /** Most bytes of a response that any number of consumers read at a time: room for a fetch and for many partitions. */
    static final int SMALL_RESPONSE_BYTES_MAX = 512 << 10;

    private static final Duration POLL_MAX = Duration.ofSeconds(1);
    /** Longest wait for a turn between two looks at the group and at messages that wait. */
    private static final Duration TURN_WAIT = Duration.ofMillis(500);
    /** Longest wait for messages once others wait for the turn of this consumer. */
    private static final Duration LAST_POLL = Duration.ofMillis(20);
    /** Time after which a connection to a broker that has ended is made again. */
    private static final Duration RECONNECT_PAUSE = Duration.ofMillis(200);
    /** The same after several ends in a row. */
    private static final Duration RECONNECT_PAUSE_MAX = Duration.ofSeconds(1);

    private static final Duration BEHIND_WAIT = Duration.ofSeconds(1);

    private static final Duration SESSION_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration HEARTBEAT_INTERVAL = Duration.ofSeconds(3);
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration CALL_TIMEOUT = Duration.ofSeconds(15);
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);
    /** How often to ask the brokers for the ends of the partitions. */
    private static final Duration LOOK_INTERVAL = Duration.ofSeconds(15);

    private final Consumed settings;
    private final AddressRule hosts;
    private final TriggerConnections connections;
    private final ResponseTurns turns;
    private final Positions positions;
    private final Intake intake;
    private final TriggerLags.OfTrigger lag;
    private final CountDownLatch stopped = new CountDownLatch(1);
    private volatile Optional<Consumer<byte[], byte[]>> current = Optional.empty();

    TopicConsumer(
            Consumed settings,
            AddressRule hosts,
            TriggerConnections connections,
            ResponseTurns turns,
            Positions positions,
            Intake intake,
            TriggerLags.OfTrigger lag) {
        this.settings = settings;
        this.hosts = hosts;
        this.connections = connections;
        this.turns = turns;
        this.positions = positions;
        this.intake = intake;
        this.lag = lag;
    }

    @Override
    public void stop() {
        stopped.countDown();
        current.ifPresent(Consumer::wakeup);
    }

    @Override
    public void run() throws ListenTrouble, InterruptedException {
        boolean goesOn = true;
        while (goesOn && stopped.getCount() > 0) {
            goesOn = connect();
            while (goesOn && intake.isBehind() && !stopped.await(BEHIND_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                // Nothing is read, so nothing is held.
            }
        }
    }

    /** Consumes with a new connection. Returns whether there is to be another one once this consumer is not behind. */
    private boolean connect() throws ListenTrouble, InterruptedException {
        ResponseLimit limit = new ResponseLimit(RESPONSE_BYTES_MAX, turns);
        BoundedConsumers.Bounded bounded = open(limit);
        Consumer<byte[], byte[]> consumer = bounded.consumer();
        try {
            current = Optional.of(consumer);
            requireTopics(consumer);
            return consume(consumer, new Topics(bounded.metadata()::topicIds), limit);
        } catch (WakeupException stopping) {
            // Nothing is lost: what was not committed is read again.
            return false;
        } catch (InterruptException interrupted) {
            throw new InterruptedException();
        } catch (KafkaException failure) {
            throw new ListenTrouble("The topics " + String.join(", ", settings.topics()) + " cannot be consumed: "
                    + failure.getMessage());
        } finally {
            current = Optional.empty();
            lag.clear();
            close(consumer);
            limit.close();
        }
    }

    private static void close(Consumer<byte[], byte[]> consumer) {
        try {
            consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
        } catch (KafkaException brokersAway) {
            log.atDebug().setCause(brokersAway).log("A consumer could not say goodbye");
        }
    }

    private void requireTopics(Consumer<byte[], byte[]> consumer) throws ListenTrouble {
        for (String topic : settings.topics()) {
            List<PartitionInfo> partitions = consumer.partitionsFor(topic);
            if (partitions == null || partitions.isEmpty()) {
                throw new ListenTrouble("There is no topic " + topic + ": create it, or correct its name.");
            }
        }
    }

    /** Returns whether to go on later, without holding anything until then. */
    private boolean consume(Consumer<byte[], byte[]> consumer, Topics topics, ResponseLimit limit)
            throws ListenTrouble, InterruptedException {
        Batches batches = new Batches(settings.batchMax(), settings.batchWait(), WAITING_MAX, WAITING_BYTES_MAX);
        consumer.subscribe(settings.topics(), new Rebalance(settings.since(), consumer, topics, batches, positions));
        boolean isHeld = false;
        boolean isTooLong = false;
        long lookedAt = System.nanoTime() - LOOK_INTERVAL.toNanos();
        long searchedAt = lookedAt;
        while (stopped.getCount() > 0) {
            boolean isPaused = !consumer.paused().isEmpty();
            limit.beforePoll();
            boolean isEmpty = read(consumer, patience(batches, limit), batches);
            isTooLong |= limit.takeRefused().isPresent();
            // A search reads large responses, too.
            boolean isSearching =
                    isTooLong && System.nanoTime() - searchedAt >= LOOK_INTERVAL.toNanos() && limit.takeTurn();
            // The position must not move beyond messages that wait.
            Duration sooner = isSearching ? settings.batchWait() : Duration.ZERO;
            for (List<Message> due : batches.due(System.nanoTime() + sooner.toNanos())) {
                switch (intake.accept(topics.id(due.getFirst().topic()), due)) {
                    case GONE -> {
                        return false;
                    }
                    case ACCEPTED -> {}
                    case PENDING -> isHeld = true;
                }
                commit(consumer, due.getLast());
            }
            if (isSearching) {
                skipTooLong(consumer, topics);
                isTooLong = false;
                searchedAt = System.nanoTime();
            }
            limit.afterPoll(isEmpty && !isPaused);
            if (limit.keepsLargeBuffers()) {
                return true;
            }
            isHeld = isHeld && intake.isBehind();
            if (isHeld && limit.hasTurn()) {
                // What was read is read again later, so that others have their turns.
                return true;
            }
            hold(consumer, isHeld || limit.isWaiting());
            if (System.nanoTime() - lookedAt >= LOOK_INTERVAL.toNanos()) {
                lag.set(batches.size() + unread(consumer));
                lookedAt = System.nanoTime();
            }
            if (limit.isWaiting()) {
                limit.awaitTurn(soonest(batches, TURN_WAIT));
                hold(consumer, isHeld || limit.isWaiting());
            }
        }
        return false;
    }

    /** Reads messages one by one, since a compressed batch may become many times as large. Returns whether there were none. */
    private static boolean read(Consumer<byte[], byte[]> consumer, Duration patience, Batches batches) {
        ConsumerRecords<byte[], byte[]> read = consumer.poll(patience);
        boolean isEmpty = read.isEmpty();
        int records = 0;
        long bytes = 0;
        while (!read.isEmpty()) {
            for (ConsumerRecord<byte[], byte[]> record : read) {
                Message message = message(record);
                batches.add(message, System.nanoTime());
                records++;
                bytes += message.bytes();
            }
            boolean isMore = records < RECORDS_MAX && bytes < READ_BYTES_MAX;
            read = isMore ? consumer.poll(Duration.ZERO) : ConsumerRecords.empty();
        }
        return isEmpty;
    }

    /** Goes on behind batches that are too long to be read. Nothing that was read before may wait. */
    private void skipTooLong(Consumer<byte[], byte[]> consumer, Topics topics) throws ListenTrouble {
        Oversized oversized = new Oversized(limit -> open(limit).consumer(), RESPONSE_BYTES_MAX);
        for (TopicPartition partition : consumer.assignment()) {
            Optional<SkippedBatch> found = oversized.at(partition, consumer.position(partition));
            if (found.isPresent() && intake.skip(topics.id(partition.topic()), found.get())) {
                consumer.seek(partition, found.get().end());
                log.atWarn()
                        .addKeyValue("reader", settings.reader())
                        .addKeyValue("partition", partition)
                        .addKeyValue("offset", found.get().begin())
                        .addKeyValue("bytes", found.get().bytes())
                        .log("A batch of messages is too long to be read and was skipped");
            }
        }
    }

    private static Duration patience(Batches batches, ResponseLimit limit) {
        if (limit.isWaiting()) {
            return Duration.ZERO;
        }
        return soonest(batches, limit.isEnding() ? LAST_POLL : POLL_MAX);
    }

    private static Duration soonest(Batches batches, Duration most) {
        return Duration.ofNanos(
                Math.min(most.toNanos(), batches.untilDue(System.nanoTime()).orElse(Long.MAX_VALUE)));
    }

    /** Reads nothing while it is held, and stays a member of the group. */
    private static void hold(Consumer<byte[], byte[]> consumer, boolean isHeld) {
        if (isHeld) {
            consumer.pause(consumer.assignment());
        } else if (!consumer.paused().isEmpty()) {
            consumer.resume(consumer.paused());
        }
    }

    /** Number of messages in the partitions of this consumer that it has not read. Fails if the brokers are away. */
    private static long unread(Consumer<byte[], byte[]> consumer) {
        return consumer.endOffsets(consumer.assignment()).entrySet().stream()
                .mapToLong(end -> Math.max(0, end.getValue() - consumer.position(end.getKey())))
                .sum();
    }

    /** A commit only saves the next reader work, since the position in the database decides. */
    private static void commit(Consumer<byte[], byte[]> consumer, Message last) {
        try {
            consumer.commitSync(Map.of(
                    new TopicPartition(last.topic(), last.partition()), new OffsetAndMetadata(last.offset() + 1)));
        } catch (CommitFailedException | RebalanceInProgressException elsewhere) {
            log.atDebug().setCause(elsewhere).log("An offset was not committed, because its partition has moved");
        }
    }

    private BoundedConsumers.Bounded open(ResponseLimit limit) throws ListenTrouble {
        Map<String, String> given;
        try {
            given = connections.settings(settings.workspace(), settings.connection());
        } catch (MillraceException unavailable) {
            throw new ListenTrouble(String.valueOf(unavailable.getMessage()));
        }
        Optional<String> problem = ClientSettings.problem(given);
        if (problem.isPresent()) {
            throw new ListenTrouble(
                    "The resource " + settings.connection() + " is no connection to Kafka: " + problem.get() + ".");
        }
        requireHosts(given);
        Map<String, Object> client = new HashMap<>(ClientSettings.of(given));
        client.put(ConsumerConfig.GROUP_ID_CONFIG, settings.group());
        client.put(ConsumerConfig.CLIENT_ID_CONFIG, "millrace");
        client.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        // Begins are noted and sought; only a position whose messages the brokers have dropped is reset.
        client.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
        client.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
        client.put(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, 1);
        client.put(ConsumerConfig.FETCH_MAX_BYTES_CONFIG, FETCH_BYTES_MAX);
        client.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, FETCH_BYTES_MAX);
        client.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        client.put(ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, (int) SESSION_TIMEOUT.toMillis());
        client.put(ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, (int) HEARTBEAT_INTERVAL.toMillis());
        client.put(ConsumerConfig.RECONNECT_BACKOFF_MS_CONFIG, RECONNECT_PAUSE.toMillis());
        client.put(ConsumerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, RECONNECT_PAUSE_MAX.toMillis());
        client.put(ConsumerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) REQUEST_TIMEOUT.toMillis());
        client.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) CALL_TIMEOUT.toMillis());
        try {
            return BoundedConsumers.create(client, new BoundedNetwork(limit, hosts::resolve));
        } catch (KafkaException unusable) {
            Throwable cause = unusable.getCause() == null ? unusable : unusable.getCause();
            throw new ListenTrouble("The resource " + settings.connection() + " cannot be used: " + cause.getMessage());
        }
    }

    private void requireHosts(Map<String, String> given) throws ListenTrouble {
        try {
            hosts.requireAny(ClientSettings.hosts(given));
        } catch (UnknownHostException refused) {
            throw new ListenTrouble("The brokers of the resource " + settings.connection() + " cannot be reached: "
                    + refused.getMessage() + ".");
        }
    }

    private static Message message(ConsumerRecord<byte[], byte[]> message) {
        Map<String, byte[]> headers = new LinkedHashMap<>();
        message.headers().forEach(header -> {
            if (header.value() != null) {
                headers.put(header.key(), header.value());
            }
        });
        return new Message(
                message.topic(),
                message.partition(),
                message.offset(),
                Instant.ofEpochMilli(Math.max(0, message.timestamp())),
                Optional.ofNullable(message.key()),
                Optional.ofNullable(message.value()),
                headers);
    }
}
