package dev.millrace.scheduler.queue;

import dev.millrace.scheduler.queue.core.JobGroup;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.SessionId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The capacity of the workers: the slot groups of all sessions connected to this scheduler, with the number of jobs in
 * each. Thread-safe: one lock guards everything, and no foreign code is called under it.
 */
public final class SlotBoard {
    /**
     * A slot group that can take up to {@code room} more jobs. {@code tags} include those of jobs reserved for its
     * session.
     */
    public record Capacity(SlotRef slot, List<String> tags, int room) {}

    /**
     * How much of a slot group is used.
     *
     * @param worker the session that has the group
     * @param jobs jobs that the group holds, those that wait on the worker included
     */
    public record Use(SessionId worker, SlotGroup group, int jobs) {}

    private final Map<SessionId, Connected> sessions = new LinkedHashMap<>();
    /** Tags, as callers give them, whose jobs nobody gets. */
    private Set<String> paused = Set.of();

    /**
     * Offers slots for no jobs with these tags from now on, and for all others again. The slots of a group then have
     * fewer tags, so that a pause costs whoever looks for a slot nothing.
     *
     * @param tags as callers give them; jobs of workspaces and sessions with these tags are paused, too
     */
    public synchronized void pause(Set<String> tags) {
        paused = Set.copyOf(tags);
        sessions.values().forEach(connected -> connected.groups.values().forEach(held -> held.offer(paused)));
    }

    /**
     * Adds a session, replacing one with the same id. {@code held} contains the number of jobs that each group already
     * holds.
     */
    public synchronized void connect(LeaseReceiver receiver, List<SlotGroup> groups, Map<String, Integer> held) {
        Connected connected = new Connected(receiver);
        groups.forEach(group -> connected.groups.put(
                group.name(), new Held(receiver.session(), group, held.getOrDefault(group.name(), 0), paused)));
        sessions.put(receiver.session(), connected);
    }

    /** Changes the slot groups of a session, if it is connected. */
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
                                .orElse(0),
                        paused)));
    }

    /** Removes a session, unless another connection has replaced it. */
    @SuppressWarnings("ReferenceEquality") // a resumed session has a different receiver, so identity matters
    public synchronized void disconnect(LeaseReceiver receiver) {
        Connected connected = sessions.get(receiver.session());
        if (connected != null && connected.receiver == receiver) {
            sessions.remove(receiver.session());
        }
    }

    /** Returns the connected end of a session. */
    public synchronized Optional<LeaseReceiver> receiver(SessionId session) {
        return Optional.ofNullable(sessions.get(session)).map(connected -> connected.receiver);
    }

    /** Sends each connected session its items. */
    public <T> void send(Map<SessionId, List<T>> bySession, BiConsumer<LeaseReceiver, List<T>> send) {
        bySession.forEach((session, items) -> receiver(session).ifPresent(receiver -> send.accept(receiver, items)));
    }

    /** Returns the sessions connected to this scheduler. */
    public synchronized List<LeaseReceiver> receivers() {
        return sessions.values().stream().map(connected -> connected.receiver).toList();
    }

    /**
     * Reserves a slot for a job with a tag, in the group with the most idle slots, so that workers share the load. A
     * group without an idle slot may still accept jobs to prefetch.
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

    /** Returns the slot on which a session holds a job with this tag, as far as the tag alone determines it. */
    public synchronized SlotRef slotOf(SessionId session, String tag) {
        Connected connected = sessions.get(session);
        String group = connected == null ? "" : connected.groupOf(tag);
        return new SlotRef(session, group);
    }

    /** Reserves several slots of a group. */
    public synchronized void reserve(SlotRef slot, int count) {
        held(slot).ifPresent(held -> held.jobs += count);
    }

    /** Releases several slots of a group. */
    public synchronized void release(SlotRef slot, int count) {
        held(slot).ifPresent(held -> held.jobs = Math.max(0, held.jobs - count));
    }

    /**
     * Returns all groups with capacity, those with the most room first. A group with idle slots offers only these, so
     * that no group prefetches jobs that another could run.
     */
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

    /** Returns how much of each slot group is used. */
    public synchronized List<Use> uses() {
        List<Use> uses = new ArrayList<>();
        sessions.forEach((session, connected) ->
                connected.groups.values().forEach(held -> uses.add(new Use(session, held.group, held.jobs))));
        return uses;
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
        private final SessionId session;
        final SlotGroup group;
        /**
         * The tags of the group that are not paused, followed by the routes of jobs that are reserved for this session.
         */
        List<String> allTags = List.of();

        private Set<String> taken = Set.of();

        int jobs;

        Held(SessionId session, SlotGroup group, int jobs, Set<String> paused) {
            this.session = session;
            this.group = group;
            this.jobs = jobs;
            offer(paused);
        }

        void offer(Set<String> paused) {
            List<String> offered = group.tags().stream()
                    .filter(tag -> !paused.contains(JobOptions.callersTag(tag)))
                    .toList();
            allTags = Stream.concat(offered.stream(), offered.stream().map(tag -> JobGroup.route(session, tag)))
                    .toList();
            taken = Set.copyOf(allTags);
        }

        boolean takes(String tag) {
            return taken.contains(tag);
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
