package dev.millrace.handler.sql;

import java.sql.Connection;

/** What a job has of a database: a connection that no other job uses meanwhile. */
interface SqlSession extends AutoCloseable {
    Connection connection();

    /** Tells that a row or an answer of the server has been used. */
    default void used() {}

    /** Tells that nothing is held any more of what the server has answered to a statement. */
    default void released() {}

    /** Tells that the job succeeded, so that its connection is in a state that is known. */
    void succeeded();

    /** Ends the use of the connection, which closes it unless something keeps it. */
    @Override
    void close();
}
