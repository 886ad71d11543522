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
     * @param isDrained whether the worker gets no more jobs, except those that only it may run
     */
    public record Use(SessionId worker, SlotGroup group, int jobs, boolean isDrained) {
        /** Number of its slots that have a job. */
        public int used() {
            return Math.min(group.slots(), jobs);
        }

        /** Number of its slots that have a job or may get one. */
        public int slots() {
            return isDrained ? used() : group.slots();
        }
    }

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
        sessions.values().forEach(connected -> connected.offer(paused));
    }

    /** Adds a session that is not drained. */
    public void connect(LeaseReceiver receiver, List<SlotGroup> groups, Map<String, Integer> held) {
        connect(receiver, groups, held, false);
    }

    /**
     * Adds a session, replacing one with the same id.
     *
     * @param held number of jobs that each group already holds
     * @param isDrained see {@link #drain}
     */
    public synchronized void connect(
            LeaseReceiver receiver, List<SlotGroup> groups, Map<String, Integer> held, boolean isDrained) {
        Connected connected = new Connected(receiver);
        connected.isDrained = isDrained;
        groups.forEach(group ->
                connected.groups.put(group.name(), new Held(group, held.getOrDefault(group.name(), 0))));
        connected.offer(paused);
        connected.measure();
        sessions.put(receiver.session(), connected);
    }

    /**
     * Offers slots of a session for no jobs from now on, except those that are reserved for it; or for all again. Returns
     * whether it gets more jobs than before. Does nothing if the session is not connected.
     */
    public synchronized boolean drain(SessionId session, boolean isDrained) {
        Connected connected = sessions.get(session);
        if (connected == null || connected.isDrained == isDrained) {
            return false;
        }
        connected.isDrained = isDrained;
        connected.offer(paused);
        return !isDrained;
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
                        group,
                        Optional.ofNullable(before.get(group.name()))
                                .map(held -> held.jobs)
                                .orElse(0))));
        connected.offer(paused);
        connected.measure();
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
        Connected best = null;
        Held bestHeld = null;
        for (Connected connected : sessions.values()) {
            for (Held held : connected.groups.values()) {
                if (held.room() > 0 && held.takes(tag) && held.isRoomierThan(bestHeld)) {
                    best = connected;
                    bestHeld = held;
                }
            }
        }
        if (best == null || bestHeld == null) {
            return Optional.empty();
        }
        best.change(bestHeld, 1);
        return Optional.of(new SlotRef(best.receiver.session(), bestHeld.group.name()));
    }

    /** Returns the slot on which a session holds a job with this tag, as far as the tag alone determines it. */
    public synchronized SlotRef slotOf(SessionId session, String tag) {
        Connected connected = sessions.get(session);
        String group = connected == null ? "" : connected.groupOf(tag);
        return new SlotRef(session, group);
    }

    /** Reserves several slots of a group. */
    public synchronized void reserve(SlotRef slot, int count) {
        change(slot, count);
    }

    /** Releases several slots of a group. */
    public synchronized void release(SlotRef slot, int count) {
        change(slot, -count);
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
        sessions.forEach((session, connected) -> connected
                .groups
                .values()
                .forEach(held -> uses.add(new Use(session, held.group, held.jobs, connected.isDrained))));
        return uses;
    }

    /** How long the slots of a session have had jobs since it connected; empty if it is not connected. */
    public synchronized Optional<SlotTime> slotTime(SessionId session) {
        return Optional.ofNullable(sessions.get(session)).map(connected -> connected.meter.read());
    }

    private void change(SlotRef slot, int jobs) {
        Connected connected = sessions.get(slot.session());
        Held held = connected == null ? null : connected.groups.get(slot.group());
        if (connected != null && held != null) {
            connected.change(held, jobs);
        }
    }

    private static final class Connected {
        final LeaseReceiver receiver;
        final Map<String, Held> groups = new LinkedHashMap<>();
        final SlotMeter meter = new SlotMeter(System::nanoTime);
        boolean isDrained;

        Connected(LeaseReceiver receiver) {
            this.receiver = receiver;
        }

        void change(Held held, int jobs) {
            held.jobs = Math.max(0, held.jobs + jobs);
            measure();
        }

        void measure() {
            int used = 0;
            int slots = 0;
            for (Held held : groups.values()) {
                used += Math.min(held.group.slots(), held.jobs);
                slots += held.group.slots();
            }
            meter.change(used, slots);
        }

        void offer(Set<String> paused) {
            groups.values().forEach(held -> held.offer(receiver.session(), paused, isDrained));
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
        /**
         * The tags of the group that are not paused, unless the session is drained, followed by the routes of jobs that
         * are reserved for the session.
         */
        List<String> allTags = List.of();

        private Set<String> taken = Set.of();

        int jobs;

        Held(SlotGroup group, int jobs) {
            this.group = group;
            this.jobs = jobs;
        }

        void offer(SessionId session, Set<String> paused, boolean isDrained) {
            List<String> offered = group.tags().stream()
                    .filter(tag -> !paused.contains(JobOptions.callersTag(tag)))
                    .toList();
            Stream<String> routes = offered.stream().map(tag -> JobGroup.route(session, tag));
            allTags = isDrained
                    ? routes.toList()
                    : Stream.concat(offered.stream(), routes).toList();
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
