package dev.millrace.scheduler.version;

import dev.millrace.scheduler.queue.core.NamedCodes;
import dev.millrace.scheduler.retention.Age;
import dev.millrace.scheduler.retention.NoRule;
import dev.millrace.scheduler.retention.OldRows;
import dev.millrace.scheduler.retention.RetentionRule;
import dev.millrace.scheduler.retention.Since;
import dev.millrace.scheduler.retention.TableRetention;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How long unused versions of flows and scripts are kept. A version is in use while a path refers to it, a run in the
 * queue or history targets it, or another version names it. Code that is about to use a version in any other way notes
 * that first, see {@link VersionRows}.
 */
public final class VersionRetention {
    private static final Age AGE = Age.setting("millrace.retention.versions", Duration.ofDays(90));

    /**
     * Work that relies on a noted use is done within two days, however short the age. The query reads the root jobs of
     * all runs once for all versions.
     */
    private static final String NO_RUN = """
            t.used_at < now() - interval '2 days'
            and not exists (select from job_queue q where q.target = t.hash)
            and not exists (select from job_history h where h.target = t.hash and h.step_key = '')
            """;

    /** Long, because a sweep reads the root jobs of the whole history. */
    private static final Duration INTERVAL = Duration.ofDays(1);

    public static final RetentionRule FLOWS = OldRows.of("flow", "Versions of flows", Since.time("used_at"), AGE)
            .where(NO_RUN + """
                    and not exists (select from flow_path p where p.hash = t.hash)
                    and not exists (select from flow_number n where n.hash = t.hash)
                    and not exists (select from flow f cross join lateral json_each_text(f.subflows) s where s.value = t.hash)
                    """)
            .every(INTERVAL);

    public static final RetentionRule SCRIPTS = OldRows.of("script", "Versions of scripts", Since.time("used_at"), AGE)
            .where(NO_RUN + """
                    and not exists (select from script_path p where p.hash = t.hash)
                    and not exists (select from flow f cross join lateral json_each(f.scripts) s where s.value ->> 'hash' = t.hash)
                    """)
            .every(INTERVAL);

    /** Texts of files of scripts. A deployment notes that it uses a text, and then lets a version refer to it. */
    public static final RetentionRule FILE_CONTENTS = OldRows.of(
                    "file_content", "Texts of files of scripts", Since.time("used_at"), AGE)
            .where("""
                    t.used_at < now() - interval '2 days'
                    and not exists (select from script_file f where f.content_hash = t.hash)
                    """)
            .every(INTERVAL);

    /** Deployments; the one that a path leads to stays. */
    public static final RetentionRule DEPLOYMENTS = OldRows.of(
                    "deployment", "Deployments of flows and scripts", Since.time("deployed_at"), AGE)
            .where(NamedCodes.expand(
                    """
                    not exists (select from script_path p where t.kind = {VersionKind.SCRIPT} and p.workspace = t.workspace and p.path = t.path and p.hash = t.hash)
                    and not exists (select from flow_path p where t.kind = {VersionKind.FLOW} and p.workspace = t.workspace and p.path = t.path and p.hash = t.hash)
                    """,
                    Map.of(
                            "VersionKind.SCRIPT",
                            VersionKind.SCRIPT.code(),
                            "VersionKind.FLOW",
                            VersionKind.FLOW.code())))
            .every(INTERVAL);

    public static final List<TableRetention> TABLES = List.of(
            FLOWS,
            SCRIPTS,
            FILE_CONTENTS,
            DEPLOYMENTS,
            new NoRule("flow_path", "what people deploy"),
            new NoRule("flow_number", "what people deploy"),
            new NoRule("flow_version", "goes with its flow, by a foreign key"),
            new NoRule("flow_use", "goes with its flow, by a foreign key"),
            new NoRule("script_path", "what people deploy"),
            new NoRule("script_version", "goes with its script, by a foreign key"),
            new NoRule("script_file", "goes with its script, by a foreign key"),
            new NoRule("package_lock", "goes with its version of a script, by a foreign key"));

    private VersionRetention() {}
}
