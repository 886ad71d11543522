package dev.millrace.worker.internal.session;

import static java.util.Objects.requireNonNull;

import dev.millrace.proto.worker.v1.Hello;
import dev.millrace.proto.worker.v1.SlotGroup;
import java.util.List;
import java.util.Map;

/** What a worker reports about itself in every Hello. */
public record WorkerIdentity(
        String name,
        String version,
        Map<String, String> runtimes,
        Map<String, String> labels,
        List<SlotGroup> slotGroups) {
    public static final int NAME_CHARS_MAX = 128;

    public WorkerIdentity {
        requireNonNull(name, "name");
        requireNonNull(version, "version");
        runtimes = Map.copyOf(runtimes);
        labels = Map.copyOf(labels);
        slotGroups = List.copyOf(slotGroups);
        if (name.isEmpty() || name.length() > NAME_CHARS_MAX) {
            throw new IllegalArgumentException("The name of a worker has 1 to " + NAME_CHARS_MAX
                    + " characters, but this one has " + name.length() + ".");
        }
    }

    /** Returns a Hello with the worker's current room. */
    Hello.Builder hello(List<SlotGroup> room) {
        return Hello.newBuilder()
                .setWorkerName(name)
                .setVersion(version)
                .putAllRuntimes(runtimes)
                .putAllLabels(labels)
                .addAllSlotGroups(room);
    }
}
