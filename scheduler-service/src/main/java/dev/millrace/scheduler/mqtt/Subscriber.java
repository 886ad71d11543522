package dev.millrace.scheduler.mqtt;

import dev.millrace.scheduler.mqtt.core.Arrival;
import dev.millrace.scheduler.mqtt.core.Handover;
import dev.millrace.scheduler.mqtt.core.Waiting;
import dev.millrace.scheduler.mqtt.protocol.Client;
import dev.millrace.scheduler.mqtt.protocol.Packet;
import dev.millrace.scheduler.mqtt.protocol.ReasonCode;
import dev.millrace.scheduler.mqtt.protocol.Subscription;
import dev.millrace.scheduler.trigger.ListenTrouble;
import dev.millrace.scheduler.trigger.ListenTurns;
import dev.millrace.scheduler.trigger.StartOutcome;
import dev.millrace.scheduler.trigger.StartState;
import dev.millrace.scheduler.trigger.TriggerStarts;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Takes messages from one connection. They are noted first, then their runs are submitted, and only then does the broker
 * get an answer. A scheduler that dies in between leaves messages that the broker sends to the next one again.
 */
final class Subscriber {
    /** How long a scheduler that has died still counts as connected. */
    static final Duration HOLD_TIME = Duration.ofSeconds(15);

    static final Duration RENEWAL_INTERVAL = Duration.ofSeconds(5);

    /** Largest number of messages that are noted at a time, unless a batch has more. */
    private static final int MESSAGES_MAX = 100;
    /** Bytes of messages from which on none waits for its batch. */
    private static final int WAITING_BYTES_MAX = 256 << 10;

    private static final Duration PATIENCE = Duration.ofMillis(500);
    private static final Duration BUSY_WAIT = Duration.ofSeconds(1);
    private static final Duration ANSWER_PATIENCE = Duration.ofSeconds(15);

    private final Client client;
    private final MqttSessionStore.Holder self;
    private final MqttSessionStore sessions;
    private final TriggerStarts starts;
    private final Occurrences occurrences;
    private final MqttCounts.OfTrigger counts;
    private final CountDownLatch stopped;
    private final Waiting waiting;
    private final List<Subscription> wanted;

    private OptionalInt subscribing = OptionalInt.empty();
    private OptionalInt unsubscribing = OptionalInt.empty();
    private List<Subscription> added = List.of();
    private boolean isHeld;

    /** @param stopped open until the subscriber is to stop */
    Subscriber(
            Client client,
            MqttSessionStore.Holder self,
            MqttSettings settings,
            MqttSessionStore sessions,
            TriggerStarts starts,
            Occurrences occurrences,
            MqttCounts.OfTrigger counts,
            CountDownLatch stopped) {
        this.client = client;
        this.self = self;
        this.sessions = sessions;
        this.starts = starts;
        this.occurrences = occurrences;
        this.counts = counts;
        this.stopped = stopped;
        this.waiting = new Waiting(settings.batchMax().orElse(MESSAGES_MAX), settings.batchWait(), WAITING_BYTES_MAX);
        this.wanted = settings.topics().stream()
                .map(filter -> new Subscription(filter.text(), settings.qos()))
                .toList();
    }

    /** Number of messages that a broker may send before it waits for answers. */
    static int receiveMax(MqttSettings settings) {
        return Math.max(MESSAGES_MAX, settings.batchMax().orElse(1));
    }

    /** Takes messages until it is stopped, or another scheduler holds the session. */
    void run() throws IOException, ListenTrouble, InterruptedException {
        Optional<MqttSessionStore.Begun> begun = sessions.begin(self, client.hasSession(), occurrences::gap);
        if (begun.isEmpty()) {
            return;
        }
        var _ = starts.finish(begun.get().noted());
        subscribe(begun.get().subscriptions());
        counts.connected(true);
        long begunAt = System.nanoTime();
        long renewedAt = begunAt - RENEWAL_INTERVAL.toNanos();
        while (stopped.getCount() > 0) {
            if (System.nanoTime() - renewedAt >= RENEWAL_INTERVAL.toNanos()) {
                if (!sessions.claim(self, HOLD_TIME)) {
                    return;
                }
                sessions.heard(self);
                renewedAt = System.nanoTime();
            }
            client.pingIfDue();
            isHeld = isHeld && starts.isBehind(self.trigger().id());
            if (isHeld) {
                var _ = stopped.await(BUSY_WAIT.toNanos(), TimeUnit.NANOSECONDS);
                continue;
            }
            boolean isAwaiting = subscribing.isPresent() || unsubscribing.isPresent();
            if (isAwaiting && System.nanoTime() - begunAt > ANSWER_PATIENCE.toNanos()) {
                throw new IOException("the broker did not answer to a subscription");
            }
            if (!read() || (waiting.isDue(System.nanoTime()) && !accept(waiting.take()))) {
                return;
            }
        }
    }

    /** Subscribes to what the session does not have yet, so that retained messages come once. */
    private void subscribe(Set<String> before) throws IOException {
        Set<String> filters = wanted.stream().map(Subscription::filter).collect(Collectors.toSet());
        List<Subscription> dropped = before.stream()
                .map(Subscription::of)
                .filter(subscription -> !filters.contains(subscription.filter()))
                .toList();
        added = wanted.stream()
                .filter(subscription -> !before.contains(subscription.toString()))
                .toList();
        if (!dropped.isEmpty()) {
            unsubscribing = OptionalInt.of(client.unsubscribe(dropped));
        }
        if (!added.isEmpty()) {
            subscribing = OptionalInt.of(client.subscribe(added));
        }
    }

    /** Reads what is there. Returns false if the scheduler does not hold the session any more. */
    private boolean read() throws IOException, ListenTrouble, InterruptedException {
        Duration patience = Duration.ofNanos(
                Math.min(PATIENCE.toNanos(), waiting.untilDue(System.nanoTime()).orElse(Long.MAX_VALUE)));
        Optional<Packet> packet = client.take(patience);
        while (packet.isPresent()) {
            if (!take(packet.get())) {
                return false;
            }
            packet = waiting.isFull() ? Optional.empty() : client.take(Duration.ZERO);
        }
        return true;
    }

    private boolean take(Packet packet) throws IOException, ListenTrouble {
        return switch (packet) {
            case Packet.Delivered(Arrival arrival) -> {
                waiting.add(arrival, System.nanoTime());
                yield true;
            }
            case Packet.Subscribed answer
            when isAnswer(subscribing, answer.id()) -> {
                requireGranted(answer);
                subscribing = OptionalInt.empty();
                yield answered();
            }
            case Packet.Unsubscribed(int id)
            when isAnswer(unsubscribing, id) -> {
                unsubscribing = OptionalInt.empty();
                yield answered();
            }
            case Packet.Subscribed _, Packet.Unsubscribed _, Packet.Pong _ -> true;
            case Packet.Connected _, Packet.Disconnected _ ->
                throw new IOException("the broker sent an answer to nothing");
        };
    }

    private static boolean isAnswer(OptionalInt asked, int id) {
        return asked.isPresent() && asked.getAsInt() == id;
    }

    private void requireGranted(Packet.Subscribed answer) throws ListenTrouble {
        for (int index = 0; index < added.size(); index++) {
            Subscription subscription = added.get(index);
            int code = index < answer.codes().size() ? answer.codes().get(index) : 0x80;
            if (ReasonCode.isRefusal(code)) {
                throw new ListenTrouble("The broker refused the subscription to " + subscription.filter() + ": "
                        + ReasonCode.text(code, answer.reason()) + ".");
            }
            if (code < subscription.qos()) {
                throw new ListenTrouble("The broker delivers messages of " + subscription.filter()
                        + " with quality of service " + code + " at most, and the trigger wants " + subscription.qos()
                        + ": set its qos to " + code + " if that is enough.");
            }
        }
    }

    private boolean answered() {
        return subscribing.isPresent()
                || unsubscribing.isPresent()
                || sessions.subscribed(
                        self, wanted.stream().map(Subscription::toString).collect(Collectors.toSet()));
    }

    /** Accepts what has arrived. Returns false if the scheduler does not hold the session any more. */
    private boolean accept(List<Arrival> arrivals) throws IOException, InterruptedException {
        Optional<MqttSessionStore.Noted> noted;
        try (ListenTurns.Turn _ = starts.turns().take()) {
            noted = sessions.note(self, received -> {
                Handover handover = Handover.of(arrivals, received);
                List<Arrival.Sent> messages =
                        handover.fresh().stream().filter(occurrences::isWanted).toList();
                return new MqttSessionStore.Noting(handover, occurrences.of(messages));
            });
            if (noted.isEmpty()) {
                return false;
            }
            count(noted.get());
            isHeld = starts.finish(noted.get().starts()).stream().anyMatch(StartOutcome.Pending.class::isInstance);
        }
        client.reply(noted.get().noting().handover().replies());
        return true;
    }

    private void count(MqttSessionStore.Noted noted) {
        Handover handover = noted.noting().handover();
        int wantedMessages =
                (int) handover.fresh().stream().filter(occurrences::isWanted).count();
        int unusable = (int) noted.noting().starts().stream()
                .filter(one -> one.state() == StartState.REFUSED)
                .count();
        int known = noted.noting().starts().size()
                - noted.starts().claimed().size()
                - noted.starts().unstarted().size();
        counts.countAccepted(wantedMessages - known, unusable);
        counts.countIgnored(handover.fresh().size() - wantedMessages);
        counts.countRepeated(handover.repeated() + known);
    }
}
