package dev.millrace.worker.internal.handler;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.millrace.proto.worker.v1.SlotGroup;
import java.util.Collection;

/** The slot group of a worker's handlers. */
public final class HandlerGroup {
    private static final String NAME = "handlers";
    private static final String TAG_PREFIX = "handler:";

    private HandlerGroup() {}

    /** Returns the slot group for jobs of these handlers. */
    public static SlotGroup of(Collection<String> handlers, int slots, int prefetch) {
        return SlotGroup.newBuilder()
                .setName(NAME)
                .addAllTags(handlers.stream().map(TAG_PREFIX::concat).toList())
                .setSlots(slots)
                .setPrefetch(prefetch)
                .build();
    }

    /** Returns the mapper for inputs and results if the user provides none. Dates are texts, as in scripts. */
    public static ObjectMapper json() {
        return new ObjectMapper()
                .findAndRegisterModules()
                .registerModule(HandlerJson.refusals())
                .disable(
                        SerializationFeature.WRITE_DATES_AS_TIMESTAMPS,
                        SerializationFeature.WRITE_DURATIONS_AS_TIMESTAMPS);
    }
}
