package dev.millrace.scheduler.retention;

/**
 * The column from which the age of a row counts. On large tables it has an index.
 *
 * @param isId whether the column holds UUIDs of version 7, which begin with their time, instead of timestamps
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
