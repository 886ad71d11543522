package dev.millrace.scheduler.submission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.Template;
import dev.millrace.scheduler.flow.core.definition.FlowOptions.Debounce;
import dev.millrace.scheduler.queue.KeptOptions;
import dev.millrace.scheduler.queue.NewRun;
import dev.millrace.scheduler.queue.RunOptions;
import dev.millrace.scheduler.queue.RunTarget;
import dev.millrace.scheduler.queue.SubmitResult;
import dev.millrace.scheduler.queue.core.Bucket;
import dev.millrace.scheduler.queue.core.IdSource;
import dev.millrace.scheduler.queue.core.JobOptions;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.RetryPolicy;
import dev.millrace.scheduler.queue.core.RunId;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.testing.MigratedDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jooq.JSON;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Starts whose keys are known only after they were accepted merge with others all the same. */
final class LateDebounceKeyTest {
    private static final Duration DELAY = Duration.ofHours(1);
    private static final int INPUT_BYTES_MAX = 200;

    @RegisterExtension
    private static final MigratedDatabase DATABASE = new MigratedDatabase();

    private static final AtomicLong clock = new AtomicLong(1_000_000);
    private static final IdSource ids = new IdSource(clock::incrementAndGet, new Random(1));
    private final DebounceStore store = new DebounceStore(DATABASE.database(), INPUT_BYTES_MAX);
    private final String key = "key-" + System.identityHashCode(this);

    @Test
    void theFirstOneWaitsWithItsKey() {
        DebouncedRun late = accept("{\"n\":1}");

        assertThat(store.settle(late, key)).isEmpty();

        DebouncedRun next = start(key, "{\"n\":2}");
        assertThat(store.submit(next, Optional.empty())).isEqualTo(new SubmitResult.Accepted(List.of(late.id())));
        assertThat(inputOf(late.id())).isEqualTo("{\"n\":2}");
    }

    @Test
    void theOneThatWaitsTakesOverALaterStart() {
        DebouncedRun waiting = start(key, "{\"n\":1}");
        store.submit(waiting, Optional.empty());
        DebouncedRun late = accept("{\"n\":2}");

        assertThat(store.settle(late, key)).contains(waiting.id());
        assertThat(inputOf(waiting.id())).isEqualTo("{\"n\":2}");
    }

    @Test
    void gathersElements() {
        DebouncedRun first = accept("{\"rows\":[1]}", "rows");
        DebouncedRun second = accept("{\"rows\":[2]}", "rows");
        assertThat(store.settle(first, key)).isEmpty();

        assertThat(store.settle(second, key)).contains(first.id());

        assertThat(inputOf(first.id())).isEqualTo("{\"rows\":[1,2]}");
    }

    @Test
    void oneThatWouldMakeTheInputTooLargeRunsAlone() {
        String long1 = "{\"rows\":[\"" + "x".repeat(150) + "\"]}";
        DebouncedRun first = accept(long1, "rows");
        DebouncedRun second = accept(long1, "rows");
        assertThat(store.settle(first, key)).isEmpty();

        assertThat(store.settle(second, key)).isEmpty();

        assertThat(inputOf(second.id())).isEqualTo(long1);
    }

    /** Accepts a start whose key is not known. */
    private DebouncedRun accept(String input, String... gathers) {
        DebouncedRun alone = start("alone-" + clock.get() + "-" + key, input, gathers);
        store.submit(alone, Optional.empty());
        return alone;
    }

    private DebouncedRun start(String withKey, String input, String... gathers) {
        JobOptions options = new JobOptions("flow", 0, Duration.ofMinutes(1), RetryPolicy.NONE);
        RunId run = ids.nextRun(new Bucket((short) 7));
        return new DebouncedRun(
                run,
                Workspace.DEFAULT,
                withKey,
                true,
                "hash",
                new NewRun(
                        run,
                        new RunTarget.FlowRun("hash"),
                        "flow",
                        new Json(input),
                        new RunOptions(options, Optional.empty(), "", KeptOptions.NONE)),
                new Debounce(DELAY, Template.Constant.NULL, Optional.empty(), List.of(gathers)),
                DELAY);
    }

    private static String inputOf(RunId run) {
        return DATABASE.database()
                .run(dsl -> dsl.fetchSingle("select input from job_queue where run_id = ?", run.value())
                        .get(0, JSON.class)
                        .data());
    }
}
