package dev.millrace.text.sql;

/** Where the text of a database's SQL differs from that of others, as far as statements and parameters are concerned. */
public enum SqlDialect {
    /** {@code $1} and {@code :name} are parameters, {@code $tag$} quotes, and comments nest. */
    POSTGRESQL,
    /** {@code ?} and {@code :name} are parameters, backslashes escape, and {@code #} begins a comment. */
    MYSQL,
    /** {@code ?} and {@code :name} are parameters, brackets quote names, and triggers contain statements. */
    SQLITE
}
