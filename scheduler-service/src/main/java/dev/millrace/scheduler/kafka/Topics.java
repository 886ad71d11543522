package dev.millrace.scheduler.kafka;

import dev.millrace.scheduler.trigger.ListenTrouble;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.kafka.common.Uuid;

/** Ids of topics, by which a topic differs from an earlier one of the same name. */
final class Topics {
    private final Supplier<Map<String, Uuid>> known;

    /** @param known what the consumer knows of the cluster */
    Topics(Supplier<Map<String, Uuid>> known) {
        this.known = known;
    }

    Optional<UUID> find(String topic) {
        return Optional.ofNullable(known.get().get(topic))
                .filter(id -> !id.equals(Uuid.ZERO_UUID))
                .map(id -> new UUID(id.getMostSignificantBits(), id.getLeastSignificantBits()));
    }

    /** The id of a topic. Fails if the brokers give none. */
    UUID id(String topic) throws ListenTrouble {
        return find(topic)
                .orElseThrow(() -> new ListenTrouble("The brokers gave no id of the topic " + topic
                        + ", by which messages are told apart: Kafka 2.8 or newer is needed."));
    }
}
