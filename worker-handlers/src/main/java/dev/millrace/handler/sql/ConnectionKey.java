package dev.millrace.handler.sql;

import static java.util.Objects.requireNonNull;

/**
 * What jobs must have in common to use a connection one after the other.
 *
 * @param workspace workspace of the jobs
 * @param folder folder for which the jobs act; a database may keep what one of them has left in the session
 * @param database database and account, with the password
 * @param isPublicOnly whether the database must have a public address
 */
record ConnectionKey(String workspace, String folder, SqlDatabase database, boolean isPublicOnly) {
    ConnectionKey {
        requireNonNull(workspace, "workspace");
        requireNonNull(folder, "folder");
        requireNonNull(database, "database");
    }
}
