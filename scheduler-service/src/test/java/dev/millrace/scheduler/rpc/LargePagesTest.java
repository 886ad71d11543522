package dev.millrace.scheduler.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.scheduler.queue.core.Workspace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LargePagesTest {
    private static final Optional<Workspace> HEAVY = Optional.of(Workspace.of("heavy"));
    private static final Optional<Workspace> CALM = Optional.of(Workspace.of("calm"));
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final CountDownLatch release = new CountDownLatch(1);

    @Test
    void callersOfOneWorkspaceHoldUpNobodyElse() throws Exception {
        LargePages pages = new LargePages(PATIENCE);
        List<CompletableFuture<Void>> heavy = new ArrayList<>();
        for (int page = 0; page < 2 * LargePages.PAGES_MAX; page++) {
            heavy.add(hold(pages, HEAVY));
        }

        hold(pages, CALM, new CountDownLatch(0)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);

        assertThat(heavy).noneMatch(CompletableFuture::isDone);
        release.countDown();
        CompletableFuture.allOf(heavy.toArray(CompletableFuture[]::new)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void whoWaitsTooLongIsRefused() throws Exception {
        LargePages pages = new LargePages(Duration.ofMillis(50));
        CountDownLatch reading = new CountDownLatch(LargePages.PAGES_EACH_MAX);
        List<CompletableFuture<Void>> heavy = new ArrayList<>();
        for (int page = 0; page < LargePages.PAGES_EACH_MAX; page++) {
            heavy.add(CompletableFuture.runAsync(
                    () -> pages.read(HEAVY, () -> {
                        reading.countDown();
                        await(release);
                    }),
                    Thread::startVirtualThread));
        }
        assertThat(reading.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();

        assertThatThrownBy(() -> pages.read(HEAVY, () -> {})).hasMessageContaining("page_size of at most 100");

        release.countDown();
        CompletableFuture.allOf(heavy.toArray(CompletableFuture[]::new)).get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
        pages.read(HEAVY, () -> {});
    }

    private CompletableFuture<Void> hold(LargePages pages, Optional<Workspace> owner) {
        return hold(pages, owner, release);
    }

    private static CompletableFuture<Void> hold(LargePages pages, Optional<Workspace> owner, CountDownLatch until) {
        return CompletableFuture.runAsync(() -> pages.read(owner, () -> await(until)), Thread::startVirtualThread);
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
