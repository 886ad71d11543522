package dev.millrace.handler.sql;

import java.sql.Connection;

/** A session on a connection that may be kept for the next job. */
final class KeptSession implements SqlSession {
    private final KeptConnections owner;
    private final SqlConnection taken;
    private boolean hasSucceeded;

    KeptSession(KeptConnections owner, SqlConnection taken) {
        this.owner = owner;
        this.taken = taken;
    }

    @Override
    public Connection connection() {
        return taken.connection();
    }

    @Override
    public void used() {
        taken.reads().restart();
    }

    @Override
    public void released() {
        taken.bounds().endTurn();
    }

    @Override
    public void succeeded() {
        hasSucceeded = true;
    }

    @Override
    public void close() {
        if (hasSucceeded) {
            owner.keep(taken);
        } else {
            taken.close();
        }
    }
}
