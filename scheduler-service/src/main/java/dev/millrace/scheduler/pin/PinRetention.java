package dev.millrace.scheduler.pin;

import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.TableRetention;
import java.util.List;

/** How long pins are kept. */
public final class PinRetention {
    public static final List<TableRetention> TABLES = List.of(new NoRule("pinned_run", "what people ask to keep"));

    private PinRetention() {}
}
