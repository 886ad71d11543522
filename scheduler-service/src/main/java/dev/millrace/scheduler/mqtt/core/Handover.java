package dev.millrace.scheduler.mqtt.core;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * How messages pass from a broker to the scheduler. A message of QoS 2 keeps its id until the broker releases it, so one
 * whose id was received before is the same message, whatever happened in between. Ids of messages of QoS 1 tell nothing.
 *
 * @param fresh messages that were not received before, in their order
 * @param received ids of QoS 2 that are not released
 * @param replies what the broker is told once the messages are noted, in the order of the arrivals
 * @param repeated number of messages that were received before
 */
public record Handover(List<Arrival.Sent> fresh, Set<Integer> received, List<Reply> replies, int repeated) {
    public Handover {
        fresh = List.copyOf(fresh);
        received = Set.copyOf(received);
        replies = List.copyOf(replies);
    }

    /**
     * Decides what becomes of arrivals.
     *
     * @param before ids of QoS 2 that were received and not released
     */
    public static Handover of(List<Arrival> arrivals, Set<Integer> before) {
        List<Arrival.Sent> fresh = new ArrayList<>();
        Set<Integer> received = new TreeSet<>(before);
        List<Reply> replies = new ArrayList<>();
        int repeated = 0;
        for (Arrival arrival : arrivals) {
            switch (arrival) {
                case Arrival.Release(int id) -> {
                    received.remove(id);
                    replies.add(new Reply.Complete(id));
                }
                case Arrival.Sent sent -> {
                    boolean isNew = true;
                    if (sent.head().id().isPresent()) {
                        int id = sent.head().id().getAsInt();
                        boolean isExact = sent.head().qos() == 2;
                        isNew = !isExact || received.add(id);
                        replies.add(isExact ? new Reply.Received(id) : new Reply.Acknowledge(id));
                    }
                    if (isNew) {
                        fresh.add(sent);
                    } else {
                        repeated++;
                    }
                }
            }
        }
        return new Handover(fresh, received, replies, repeated);
    }

    /** An answer to a broker. */
    public sealed interface Reply {
        int id();

        /** A message of QoS 1 is in safe hands: PUBACK. */
        record Acknowledge(int id) implements Reply {}

        /** A message of QoS 2 is in safe hands: PUBREC. */
        record Received(int id) implements Reply {}

        /** The id of a message of QoS 2 is forgotten: PUBCOMP. */
        record Complete(int id) implements Reply {}
    }
}
