package dev.millrace.scheduler.child;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** How long notes of child runs are kept. */
public final class ChildRetention {
    public static final List<TableRetention> TABLES =
            List.of(new NoRule("child_note", "goes when it is settled: SettleChildNotesStatement"));

    private ChildRetention() {}
}
