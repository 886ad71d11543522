package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.JobGroup;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Who has room for jobs: the slot groups of all sessions connected to this scheduler, and how many jobs each holds. Thread-safe:
 * one lock guards everything, and nothing is called while it is held.
 */
public final class SlotBoard {
    /** A group with room: claim at most {@code room} jobs of these tags, those of its session among them, for {@code slot}. */
    public record Capacity(SlotRef slot, List<String> tags, int room) {}

    private final Map<SessionId, Connected> sessions = new LinkedHashMap<>();

    /** Adds a session; one of the same id is replaced. {@code held} counts the jobs that each group already holds. */
    public synchronized void connect(LeaseReceiver receiver, List<SlotGroup> groups, Map<String, Integer> held) {
        Connected connected = new Connected(receiver);
        groups.forEach(group -> connected.groups.put(
                group.name(), new Held(receiver.session(), group, held.getOrDefault(group.name(), 0))));
        sessions.put(receiver.session(), connected);
    }

    /** Changes the room of a session that is connected. */
    public synchronized void resize(SessionId session, List<SlotGroup> groups) {
        Connected connected = sessions.get(session);
        if (connected == null) {
            return;
        }
        Map<String, Held> before = new HashMap<>(connected.groups);
        connected.groups.clear();
        groups.forEach(group -> connected.groups.put(
                group.name(),
                new Held(
                        session,
                        group,
                        Optional.ofNullable(before.get(group.name()))
                                .map(held -> held.jobs)
                                .orElse(0))));
    }

    /** Removes a session, unless another connection has taken its place. */
    @SuppressWarnings("ReferenceEquality") // a session that was resumed has another receiver: identity is the question
    public synchronized void disconnect(LeaseReceiver receiver) {
        Connected connected = sessions.get(receiver.session());
        if (connected != null && connected.receiver == receiver) {
            sessions.remove(receiver.session());
        }
    }

    /** The connected end of a session. */
    public synchronized Optional<LeaseReceiver> receiver(SessionId session) {
        return Optional.ofNullable(sessions.get(session)).map(connected -> connected.receiver);
    }

    /** Gives each of the sessions that are connected here what is for it. */
    public <T> void send(Map<SessionId, List<T>> bySession, BiConsumer<LeaseReceiver, List<T>> send) {
        bySession.forEach((session, items) -> receiver(session).ifPresent(receiver -> send.accept(receiver, items)));
    }

    /** The sessions connected here. */
    public synchronized List<LeaseReceiver> receivers() {
        return sessions.values().stream().map(connected -> connected.receiver).toList();
    }

    /**
     * Takes a slot for one job of this tag: where a slot is idle before where it would wait, and among those at the group with the
     * most room, so that workers share the load.
     */
    public synchronized Optional<SlotRef> reserve(String tag) {
        SlotRef best = null;
        Held bestHeld = null;
        for (Connected connected : sessions.values()) {
            for (Held held : connected.groups.values()) {
                if (held.room() > 0 && held.takes(tag) && held.isRoomierThan(bestHeld)) {
                    best = new SlotRef(connected.receiver.session(), held.group.name());
                    bestHeld = held;
                }
            }
        }
        if (bestHeld != null) {
            bestHeld.jobs++;
        }
        return Optional.ofNullable(best);
    }

    /** The slot on which a session holds a job of this tag, as far as that can be told from the tag alone. */
    public synchronized SlotRef slotOf(SessionId session, String tag) {
        Connected connected = sessions.get(session);
        String group = connected == null ? "" : connected.groupOf(tag);
        return new SlotRef(session, group);
    }

    /** Takes several slotRefs of one group. */
    public synchronized void reserve(SlotRef slot, int count) {
        held(slot).ifPresent(held -> held.jobs += count);
    }

    /** Gives slotRefs back. */
    public synchronized void release(SlotRef slot, int count) {
        held(slot).ifPresent(held -> held.jobs = Math.max(0, held.jobs - count));
    }

    /** All groups with room, the idlest first. A group with idle slots asks for those alone, before anyone prefetches. */
    public synchronized List<Capacity> capacities() {
        List<Capacity> capacities = new ArrayList<>();
        for (Connected connected : sessions.values()) {
            for (Held held : connected.groups.values()) {
                if (held.room() > 0) {
                    SlotRef slot = new SlotRef(connected.receiver.session(), held.group.name());
                    int idle = held.idleSlots();
                    capacities.add(new Capacity(slot, held.allTags, idle > 0 ? idle : held.room()));
                }
            }
        }
        capacities.sort((a, b) -> Integer.compare(b.room(), a.room()));
        return capacities;
    }

    private Optional<Held> held(SlotRef slot) {
        return Optional.ofNullable(sessions.get(slot.session())).map(connected -> connected.groups.get(slot.group()));
    }

    private static final class Connected {
        final LeaseReceiver receiver;
        final Map<String, Held> groups = new LinkedHashMap<>();

        Connected(LeaseReceiver receiver) {
            this.receiver = receiver;
        }

        String groupOf(String tag) {
            return groups.values().stream()
                    .filter(held -> held.group.tags().contains(tag))
                    .map(held -> held.group.name())
                    .findFirst()
                    .orElse("");
        }
    }

    private static final class Held {
        final SlotGroup group;
        /** Its own, then those of jobs that are for this very session. */
        final List<String> allTags;

        int jobs;

        Held(SessionId session, SlotGroup group, int jobs) {
            this.group = group;
            this.jobs = jobs;
            this.allTags = Stream.concat(
                            group.tags().stream(), group.tags().stream().map(tag -> JobGroup.route(session, tag)))
                    .toList();
        }

        boolean takes(String tag) {
            return (JobGroup.isRoute(tag) ? allTags : group.tags()).contains(tag);
        }

        int room() {
            return group.capacity() - jobs;
        }

        int idleSlots() {
            return group.slots() - jobs;
        }

        boolean isRoomierThan(@Nullable Held other) {
            return other == null || idleSlots() > other.idleSlots();
        }
    }
}
