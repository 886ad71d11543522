package dev.millrace.scheduler.submission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.expression.evaluator.Evaluators;
import dev.millrace.scheduler.flow.core.machine.RunKey;
import dev.millrace.scheduler.queue.core.JobError;
import dev.millrace.scheduler.queue.core.Workspace;
import dev.millrace.scheduler.submission.DebounceKeys.Answer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** A submission waits for a plain key and for a quick one, and for no other. */
class DebounceKeysTest {
    private static final RunKey.Known KNOWN = new RunKey.Known("k");
    private static final RunKey.Unusable UNUSABLE = new RunKey.Unusable(JobError.permanent("Bad", "It is bad."));

    private final DebounceKeys keys = new DebounceKeys();

    @Test
    void readsPlainKeysAtOnce() {
        assertThat(find(() -> KNOWN)).isEqualTo(new Answer.Plain(KNOWN));
        assertThat(find(() -> UNUSABLE)).isEqualTo(new Answer.Plain(UNUSABLE));
    }

    @Test
    void waitsForAKeyThatIsComputedInTime() {
        assertThat(find(computed(CompletableFuture.completedFuture(KNOWN)))).isEqualTo(new Answer.InTime("k"));
    }

    @Test
    void answersBeforeAKeyThatTakesLong() {
        CompletableFuture<RunKey> end = new CompletableFuture<>();

        Answer answer = find(computed(end));

        assertThat(answer).isInstanceOf(Answer.Late.class);
        end.complete(KNOWN);
        assertThat(((Answer.Late) answer).key().join()).isEqualTo(KNOWN);
    }

    @Test
    void takesAKeyThatCannotBeComputedForLate() {
        assertThat(find(computed(CompletableFuture.completedFuture(UNUSABLE)))).isInstanceOf(Answer.Late.class);
    }

    @Test
    void tellsWhyAKeyWasNotComputed() {
        Answer answer = find(computed(CompletableFuture.failedFuture(new IllegalStateException("a bug"))));

        assertThat(((Answer.Late) answer).key().join())
                .isInstanceOfSatisfying(
                        RunKey.Unusable.class,
                        unusable -> assertThat(unusable.error().message()).contains("a bug"));
    }

    private Answer find(Supplier<RunKey> key) {
        return keys.find(Workspace.DEFAULT, "run", key);
    }

    /** A key that needs an evaluator. */
    private static Supplier<RunKey> computed(CompletableFuture<RunKey> value) {
        return () -> {
            Evaluators.requireAllowed();
            return value.join();
        };
    }
}
