package dev.millrace.scheduler.version;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** How long versions of flows and scripts are kept. */
public final class VersionRetention {
    public static final List<TableRetention> TABLES = List.of(
            new NoRule("flow", "what people deploy: runs of any age may name it"),
            new NoRule("flow_path", "what people deploy"),
            new NoRule("flow_number", "what people deploy"),
            new NoRule("flow_version", "goes with its flow, by a foreign key"),
            new NoRule("flow_use", "goes with its flow, by a foreign key"),
            new NoRule("script", "what people deploy: runs of any age may name it"),
            new NoRule("script_path", "what people deploy"),
            new NoRule("script_version", "goes with its script, by a foreign key"));

    private VersionRetention() {}
}
