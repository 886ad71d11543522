package dev.millrace.scheduler.postgres.core;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * A row of a table.
 *
 * @param id its number
 * @param chars length of its JSON in characters
 * @param json the row as a JSON object; absent if it is too large for an input, and was not read
 */
public record OutboxRow(long id, long chars, Optional<String> json) {
    public OutboxRow {
        requireNonNull(json, "json");
    }
}
