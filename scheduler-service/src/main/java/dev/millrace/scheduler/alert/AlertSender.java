package dev.millrace.scheduler.alert;

import dev.millrace.metrics.Metrics;
import dev.millrace.scheduler.alert.core.Backoff;
import dev.millrace.scheduler.alert.core.Channel;
import dev.millrace.scheduler.alert.core.Delivery;
import dev.millrace.scheduler.database.Database;
import dev.millrace.scheduler.event.Events;
import dev.millrace.scheduler.event.Subscription;
import dev.millrace.scheduler.event.core.EventFilter;
import dev.millrace.scheduler.runtime.Loop;
import dev.millrace.scheduler.runtime.WakeLatch;
import io.prometheus.metrics.core.metrics.Counter;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Turns events into messages, and sends them. Each scheduler takes the alerts that nobody holds, for {@link #HELD}, and
 * prolongs that while it lives. A message is sent twice only if a scheduler dies or freezes between an answer of a receiver
 * and its record.
 *
 * <p>Each alert is worked off by a thread of its own, so that a receiver that does not answer holds up no other alert.
 */
final class AlertSender implements AutoCloseable {
    /** Maximum number of messages of an alert that wait; the position stays where it is until there are fewer. */
    static final int WAITING_MAX = 10_000;
    /** Maximum number of messages of one alert that are sent at a time. */
    static final int SENT_AT_ONCE_MAX = 8;

    private static final Logger log = LoggerFactory.getLogger(AlertSender.class);
    /** How long an alert belongs to a scheduler: longer than it works on a batch of messages. */
    private static final Duration HELD = Duration.ofSeconds(60);
    /** How often a scheduler prolongs that, and looks for alerts that nobody holds. */
    private static final Duration CLAIM_INTERVAL = Duration.ofSeconds(10);
    /** Least time between two looks at the events: changes come in bursts. */
    private static final Duration GATHER_TIME = Duration.ofMillis(100);
    /** What each alert adds to that, so that many alerts of a busy installation cost the database no more than a few. */
    private static final Duration GATHER_TIME_EACH = Duration.ofMillis(10);

    private static final int ALERTS_HELD_MAX = 500;

    private final AlertStore alerts;
    private final DeliveryStore deliveries;
    private final Events events;
    private final Messages messages;
    private final TopicSender topics;
    private final RandomGenerator random;
    private final UUID self;
    private final Counter attempts;
    /** The alerts that this scheduler holds, as they stood at the last claim, with their present positions. */
    private final Map<AlertKey, HeldAlert> mine = new ConcurrentHashMap<>();
    /** Alerts that a thread works off. */
    private final Set<AlertKey> working = ConcurrentHashMap.newKeySet();
    /** Alerts of which there may be news since their threads have begun. */
    private final Set<AlertKey> again = ConcurrentHashMap.newKeySet();
    /** Whether the alerts in the database may differ from those in memory. */
    private final AtomicBoolean claimSoon = new AtomicBoolean(true);

    private long claimedNanos = System.nanoTime();
    private final Events.Waiter waiter;
    private final Loop loop = Loop.of("alerts", this::runOnce);

    /** @param self tells this scheduler from others */
    AlertSender(
            Database database,
            Events events,
            Messages messages,
            TopicSender topics,
            RandomGenerator random,
            UUID self,
            Metrics metrics) {
        this.alerts = new AlertStore(database);
        this.deliveries = new DeliveryStore(database);
        this.events = events;
        this.messages = messages;
        this.topics = topics;
        this.random = random;
        this.self = self;
        this.attempts = metrics.counter(
                "millrace_alert_attempts_total",
                "Attempts to send a message of an alert, by channel and outcome; failed ones are repeated, dead ones are not",
                "channel",
                "outcome");
        this.waiter = events.waiter(loop::wake);
    }

    AlertSender start() {
        loop.start();
        return this;
    }

    /** Looks for alerts and messages soon. */
    void wake() {
        claimSoon.set(true);
        loop.wake();
    }

    private Duration runOnce() throws InterruptedException {
        if (claimSoon.getAndSet(false) || System.nanoTime() - claimedNanos > CLAIM_INTERVAL.toNanos()) {
            mine.clear();
            alerts.claim(self, ALERTS_HELD_MAX, HELD).forEach(held -> mine.put(held.key(), held));
            Set<AlertKey> sending = new HashSet<>(mine.keySet());
            sending.addAll(working);
            topics.keep(sending);
            claimedNanos = System.nanoTime();
        }
        Duration next = CLAIM_INTERVAL;
        for (HeldAlert held : mine.values()) {
            if (working.add(held.key())) {
                Thread.ofVirtual().name("alert " + held.alert().name()).start(() -> workOff(held));
            } else {
                again.add(held.key());
            }
            Duration due = topics.isPaused(held)
                    ? TopicSender.PAUSE
                    : deliveries
                            .untilNext(held.key())
                            .filter(Duration::isPositive)
                            .orElse(CLAIM_INTERVAL);
            next = due.compareTo(next) < 0 ? due : next;
        }
        WakeLatch.pause(GATHER_TIME.plus(GATHER_TIME_EACH.multipliedBy(mine.size())));
        return next;
    }

    private void workOff(HeldAlert held) {
        try {
            work(held);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException failure) {
            log.atWarn()
                    .addKeyValue("workspace", held.alert().workspace())
                    .addKeyValue("alert", held.alert().name())
                    .setCause(failure)
                    .log("An alert could not be worked off and will be tried again");
        } finally {
            working.remove(held.key());
            if (again.remove(held.key())) {
                loop.wake();
            }
        }
    }

    /** Reads the events that there are, and sends the messages that are due. */
    void work(HeldAlert held) throws InterruptedException {
        write(held);
        List<DeliveryStore.Due> due = deliveries.due(held.key(), SENT_AT_ONCE_MAX);
        long begin = System.nanoTime();
        while (!due.isEmpty()
                && !loop.isClosed()
                && System.nanoTime() - begin < HELD.dividedBy(2).toNanos()) {
            sendAll(held, due);
            due = deliveries.due(held.key(), SENT_AT_ONCE_MAX);
        }
    }

    private void write(HeldAlert held) throws InterruptedException {
        if (topics.isPaused(held)) {
            return;
        }
        EventFilter filter = new EventFilter(
                held.alert().types(), held.alert().folder(), held.alert().path(), Optional.empty(), Optional.empty());
        Subscription read = events.resume(held.alert().workspace(), filter.scope(), held.position());
        HeldAlert now = held;
        Optional<String> gap = read.gap();
        boolean goesOn = true;
        while (goesOn && deliveries.waiting(held.key()) < WAITING_MAX) {
            Subscription.Batch batch = read.next();
            List<Subscription.Read> matched = batch.events().stream()
                    .filter(event -> filter.matches(event.stored()))
                    .toList();
            List<NewDelivery> found = List.of();
            if (held.alert().channel() instanceof Channel.Kafka kafka) {
                if (!stream(now, kafka, matched)) {
                    return;
                }
            } else {
                found = matched.stream().map(AlertSender::delivery).toList();
            }
            if (!batch.events().isEmpty() || gap.isPresent() || batch.isFarFrom(now.position())) {
                if (!alerts.move(now, self, batch.position(), gap, found)) {
                    mine.remove(held.key(), now);
                    claimSoon.set(true);
                    return;
                }
                HeldAlert moved = new HeldAlert(now.alert(), now.version(), batch.position());
                mine.replace(held.key(), now, moved);
                now = moved;
            }
            gap = Optional.empty();
            goesOn = !batch.isLast();
        }
    }

    private static NewDelivery delivery(Subscription.Read event) {
        return new NewDelivery(event.stored().id(), event.stored().type(), event.cloudEvent());
    }

    /** Sends events in order. Returns false if they could not be sent, so that the position must not move. */
    private boolean stream(HeldAlert held, Channel.Kafka kafka, List<Subscription.Read> matched)
            throws InterruptedException {
        if (matched.isEmpty()) {
            return true;
        }
        if (!alerts.stands(held, self)) {
            mine.remove(held.key(), held);
            claimSoon.set(true);
            return false;
        }
        try {
            boolean hasWaited = topics.send(held, kafka, matched);
            attempts.labelValues(kafka.text(), "delivered").inc(matched.size());
            if (hasWaited || !held.alert().trouble().isEmpty()) {
                alerts.trouble(held, self, "");
            }
            return true;
        } catch (StreamTrouble away) {
            attempts.labelValues(kafka.text(), "failed").inc(matched.size());
            if (alerts.trouble(held, self, away.sentence())) {
                log.atWarn()
                        .addKeyValue("workspace", held.alert().workspace())
                        .addKeyValue("alert", held.alert().name())
                        .addKeyValue("reason", away.sentence())
                        .log("Events wait, because they cannot be sent to Kafka");
            }
            return false;
        }
    }

    private void sendAll(HeldAlert held, List<DeliveryStore.Due> due) throws InterruptedException {
        List<Thread> sending = due.stream()
                .map(each -> Thread.ofVirtual().start(() -> send(held, each)))
                .toList();
        for (Thread each : sending) {
            each.join();
        }
    }

    private void send(HeldAlert held, DeliveryStore.Due due) {
        Delivery delivery = due.delivery();
        switch (messages.send(held.alert(), delivery)) {
            case Attempt.Taken(Optional<Integer> status) -> {
                count(held, "delivered");
                deliveries.taken(delivery, status);
            }
            case Attempt.Failed failed -> {
                Optional<Duration> delay = failed.isFinal()
                        ? Optional.empty()
                        : Backoff.next(delivery.attempts() + 1, due.age(), failed.asked(), random.nextDouble());
                count(held, delay.isPresent() ? "failed" : "dead");
                delay.ifPresentOrElse(
                        time -> deliveries.later(delivery, failed, time), () -> deliveries.dead(delivery, failed));
            }
        }
    }

    private void count(HeldAlert held, String outcome) {
        attempts.labelValues(held.alert().channel().text(), outcome).inc();
    }

    @Override
    public void close() {
        waiter.close();
        loop.close();
        alerts.release(self);
        messages.close();
        topics.close();
    }
}
