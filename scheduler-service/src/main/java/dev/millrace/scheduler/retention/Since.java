package dev.millrace.scheduler.retention;

/**
 * The column from which the age of a row counts. A large table has an index on it.
 *
 * @param isId whether the column holds UUIDs of version 7, which begin with their time, in place of times
 */
public record Since(String column, boolean isId) {
    public static Since time(String column) {
        return new Since(column, false);
    }

    public static Since id(String column) {
        return new Since(column, true);
    }

    /** The column's type in SQL. */
    String type() {
        return isId ? "uuid" : "timestamptz";
    }
}
