package dev.millrace.scheduler.runtime;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes started parts in reverse order. A part that fails to close does not keep the others from closing. Not
 * thread-safe.
 */
public final class Closing implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Closing.class);

    private final Deque<AutoCloseable> parts = new ArrayDeque<>();

    /** Adds a started part, and returns it. */
    public <T extends AutoCloseable> T add(T part) {
        parts.push(part);
        return part;
    }

    @Override
    public void close() {
        while (!parts.isEmpty()) {
            closeLogged(parts.pop());
        }
    }

    private static void closeLogged(AutoCloseable part) {
        try {
            part.close();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (Exception failure) {
            log.atWarn()
                    .addKeyValue("part", part.getClass().getSimpleName())
                    .setCause(failure)
                    .log("A part of the scheduler could not be closed");
        }
    }
}
