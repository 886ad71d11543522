package dev.millrace.handler.sql;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.worker.JobException;
import java.util.Locale;

/**
 * The file of a database of SQLite, as a job names it.
 *
 * @param path absolute path, or {@value #MEMORY}
 * @param mode what the job may do with it
 */
record SqliteFile(String path, Mode mode) {
    /** What a job may do with a file, in the words of SQLite. */
    enum Mode {
        /** Read. */
        RO,
        /** Read and write. */
        RW,
        /** Read and write, and create the file if it is missing. */
        RWC
    }

    /** A database in memory, which ends with the job. */
    static final String MEMORY = ":memory:";

    SqliteFile {
        requireNonNull(path, "path");
        requireNonNull(mode, "mode");
    }

    /**
     * Reads the input: an object with {@code file} and {@code mode}, or a path.
     *
     * @throws JobException if it is neither
     */
    static SqliteFile of(JsonNode input) {
        JsonNode value = input.path(SqlDatabase.INPUT);
        JsonNode path = value.isObject() ? value.path("file") : value;
        if (!path.isTextual()) {
            throw SqlErrors.input("The input lacks \"" + SqlDatabase.INPUT
                    + "\": pass the path of the file, or a resource with file and mode, for example"
                    + " {\"file\": \"/srv/shop.db\", \"mode\": \"ro\"}.");
        }
        return new SqliteFile(path.textValue(), mode(value.path("mode")));
    }

    private static Mode mode(JsonNode value) {
        if (value.isMissingNode() || value.isNull()) {
            return Mode.RW;
        }
        for (Mode mode : Mode.values()) {
            if (mode.name().toLowerCase(Locale.ROOT).equals(value.asText())) {
                return mode;
            }
        }
        throw SqlErrors.input(
                "The mode \"" + value.asText()
                        + "\" of the database is unknown: use ro (read), rw (write) or rwc (create the file if it is missing).");
    }

    boolean isMemory() {
        return path.equals(MEMORY);
    }
}
