package dev.millrace.handler.sql;

import static java.util.Objects.requireNonNull;

/**
 * What jobs must have in common to use a connection one after the other.
 *
 * @param workspace workspace of the jobs
 * @param database database and account, with the password
 */
record ConnectionKey(String workspace, SqlDatabase database) {
    ConnectionKey {
        requireNonNull(workspace, "workspace");
        requireNonNull(database, "database");
    }
}
