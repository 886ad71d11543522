package dev.millrace.scheduler.database;

/**
 * Sees the transactions of a call before they commit, and adds what shall commit with them. {@link
 * Database#witnessed} calls it for a piece of work.
 */
public interface Witness {
    /** Executes statements in the transaction that is about to commit. */
    interface Statements {
        /**
         * Executes one statement, and returns the number of rows that it has changed.
         *
         * @param values values of the statement's parameters, in their order
         */
        int execute(String sql, Object... values);

        /** Whether a query has a row. */
        boolean finds(String query, Object... values);
    }

    /**
     * The transaction is about to commit. It may have changed nothing: then {@code pg_current_xact_id_if_assigned()} is
     * null.
     */
    void beforeCommit(Statements transaction);

    /** The transaction has committed. */
    void committed();
}
