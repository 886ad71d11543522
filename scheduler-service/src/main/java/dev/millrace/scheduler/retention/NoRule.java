package dev.millrace.scheduler.retention;

/**
 * A table without a rule.
 *
 * @param reason why the table does not grow without bound
 */
public record NoRule(String table, String reason) implements TableRetention {}
