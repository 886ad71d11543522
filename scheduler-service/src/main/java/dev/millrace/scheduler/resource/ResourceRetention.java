package dev.millrace.scheduler.resource;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** How long resources are kept. */
public final class ResourceRetention {
    public static final List<TableRetention> TABLES = List.of(
            new NoRule("resource", "what developers have written, with a limit for each workspace"),
            new NoRule("resource_type", "what developers have written, with a limit for each workspace"));

    private ResourceRetention() {}
}
