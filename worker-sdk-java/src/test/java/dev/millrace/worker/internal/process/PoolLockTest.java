package dev.millrace.worker.internal.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Actions that are deferred until no thread holds the lock. */
@Timeout(180)
final class PoolLockTest {
    private final PoolLock lock = new PoolLock();
    private final List<String> done = new ArrayList<>();

    @Test
    void doesWhatIsPutOffInItsOrderAfterTheOutermostRelease() {
        lock.run(() -> {
            lock.afterwards(() -> done.add("first"));
            lock.run(() -> lock.afterwards(() -> done.add("second")));
            done.add("held");
        });

        assertThat(done).containsExactly("held", "first", "second");
    }

    @Test
    void holdsNothingMeanwhile() {
        lock.run(() ->
                lock.afterwards(() -> CompletableFuture.runAsync(() -> lock.run(() -> done.add("another thread")))
                        .join()));

        assertThat(done).containsExactly("another thread");
    }

    @Test
    void doesItAlsoWhereTheRestFails() {
        assertThatThrownBy(() -> lock.get(() -> {
                    lock.afterwards(() -> done.add("put off"));
                    throw new ProtocolException("odd");
                }))
                .isInstanceOf(ProtocolException.class);

        assertThat(done).containsExactly("put off");
    }

    @Test
    void doesItOnce() {
        lock.run(() -> lock.afterwards(() -> done.add("once")));
        lock.run(() -> done.add("later"));

        assertThat(done).containsExactly("once", "later");
    }
}
