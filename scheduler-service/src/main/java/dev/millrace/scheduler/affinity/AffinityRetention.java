package dev.millrace.scheduler.affinity;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** How long groups of steps are kept. */
public final class AffinityRetention {
    public static final List<TableRetention> TABLES = List.of(new NoRule(
            "worker_group", "goes with the container of the group, in the flush that ends it: EndGroupsStatement"));

    private AffinityRetention() {}
}
