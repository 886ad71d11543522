package dev.millrace.scheduler.kafka;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** How long positions in topics are kept. */
public final class KafkaRetention {
    public static final List<TableRetention> TABLES = List.of(new NoRule(
            "kafka_position", "goes with its trigger, by a foreign key; a row for each partition of its topics"));

    private KafkaRetention() {}
}
