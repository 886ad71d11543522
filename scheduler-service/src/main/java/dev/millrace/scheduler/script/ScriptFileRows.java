package dev.millrace.scheduler.script;

import static dev.millrace.scheduler.database.tables.Tables.FILE_CONTENT;
import static dev.millrace.scheduler.database.tables.Tables.SCRIPT_FILE;
import static org.jooq.impl.DSL.currentOffsetDateTime;

import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jooq.DSLContext;

/** The files of versions in Postgres, whose texts are kept once for all versions. */
final class ScriptFileRows {
    private ScriptFileRows() {}

    /**
     * Stores the files of a version unless they are there, within the caller's transaction. Notes the use of their
     * texts, which keeps the sweep from removing them until the version shows that it has them.
     */
    static void insert(DSLContext dsl, String version, Map<String, String> files) {
        // Rows in one order, so that no two deployments wait for each other.
        SortedMap<String, String> texts = new TreeMap<>();
        files.values().forEach(text -> texts.put(ScriptHash.ofText(text), text));
        texts.forEach((hash, text) -> dsl.insertInto(FILE_CONTENT, FILE_CONTENT.HASH, FILE_CONTENT.CONTENT)
                .values(hash, text)
                .onConflict(FILE_CONTENT.HASH)
                .doUpdate()
                .set(FILE_CONTENT.USED_AT, currentOffsetDateTime())
                .execute());
        files.forEach((path, text) -> dsl.insertInto(
                        SCRIPT_FILE, SCRIPT_FILE.SCRIPT_HASH, SCRIPT_FILE.PATH, SCRIPT_FILE.CONTENT_HASH)
                .values(version, path, ScriptHash.ofText(text))
                .onConflictDoNothing()
                .execute());
    }

    /** Texts of a version's files, by path. */
    static SortedMap<String, String> texts(DSLContext dsl, String version) {
        return new TreeMap<>(dsl.select(SCRIPT_FILE.PATH, FILE_CONTENT.CONTENT)
                .from(SCRIPT_FILE)
                .join(FILE_CONTENT)
                .on(FILE_CONTENT.HASH.eq(SCRIPT_FILE.CONTENT_HASH))
                .where(SCRIPT_FILE.SCRIPT_HASH.eq(version))
                .fetchMap(SCRIPT_FILE.PATH, FILE_CONTENT.CONTENT));
    }

    /** Hashes of the texts of a version's files, by path. */
    static Map<String, String> hashes(DSLContext dsl, String version) {
        return dsl.select(SCRIPT_FILE.PATH, SCRIPT_FILE.CONTENT_HASH)
                .from(SCRIPT_FILE)
                .where(SCRIPT_FILE.SCRIPT_HASH.eq(version))
                .fetchMap(SCRIPT_FILE.PATH, SCRIPT_FILE.CONTENT_HASH);
    }

    static String text(DSLContext dsl, String hash) {
        return dsl.select(FILE_CONTENT.CONTENT)
                .from(FILE_CONTENT)
                .where(FILE_CONTENT.HASH.eq(hash))
                .fetchSingle(row -> row.get(FILE_CONTENT.CONTENT));
    }
}
