package dev.millrace.scheduler.tag;

import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;

/** How long pauses of tags are kept. */
public final class TagRetention {
    public static final List<TableRetention> TABLES =
            List.of(OldRows.of("paused_tag", "Pauses of tags", Since.time("until_at"), Age.fixed(Duration.ZERO)));

    private TagRetention() {}
}
