package dev.millrace.scheduler.trigger;

import com.google.protobuf.ByteString;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.submission.RunTemplate;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jooq.Record;

/** Reads triggers from rows. */
public final class TriggerRows {
    /** The columns that {@link #read} needs, of the table {@code trigger} under the name {@code t}. */
    public static final String COLUMNS = """
            t.id, t.workspace, t.kind, t.path, t.version, t.template, t.settings, t.description, t.flow_path, t.paused_at, t.actor, t.credential_id,
            t.created_at, t.changed_at
            """;

    private TriggerRows() {}

    public static Trigger read(Record row) {
        return new Trigger(
                new TriggerId(row.get("id", UUID.class)),
                new TriggerKey(
                        Workspace.of(row.get("workspace", String.class)),
                        TriggerKind.of(row.get("kind", String.class)),
                        row.get("path", String.class)),
                row.get("version", Long.class),
                new TriggerSpec(
                        new RunTemplate(ByteString.copyFrom(row.get("template", byte[].class))),
                        ByteString.copyFrom(row.get("settings", byte[].class)),
                        row.get("description", String.class)),
                Optional.ofNullable(row.get("flow_path", String.class)),
                time(row, "paused_at"),
                row.get("actor", String.class),
                Optional.ofNullable(row.get("credential_id", UUID.class)),
                time(row, "created_at").orElseThrow(),
                time(row, "changed_at").orElseThrow());
    }

    static Optional<Instant> time(Record row, String column) {
        return Optional.ofNullable(row.get(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }

    static List<Trigger> read(List<? extends Record> rows) {
        return rows.stream().map(TriggerRows::read).toList();
    }
}
