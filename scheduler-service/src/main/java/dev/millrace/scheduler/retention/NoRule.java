package dev.millrace.scheduler.retention;

/**
 * A table without a rule.
 *
 * @param reason why it does not grow for ever all the same
 */
public record NoRule(String table, String reason) implements TableRetention {}
