package dev.millrace.scheduler.run.step;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.graph.StepKey;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.JobKind;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.run.Payloads;
import dev.millrace.scheduler.run.Times;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class SentStepsTest {
    private static final Instant BEGIN = Instant.ofEpochSecond(100);
    private static final Instant END = Instant.ofEpochSecond(101);

    private static final Optional<Json> NONE = Optional.empty();

    private final SentSteps sent = new SentSteps();

    @Test
    void sendsALiveStepAgainOnlyWhereItHasChanged() {
        Step queued = live(1, StepState.QUEUED, Optional.empty());
        Step leased = live(1, StepState.RUNNING, Optional.empty());
        Step begun = live(1, StepState.RUNNING, Optional.of(BEGIN));

        assertThat(sent.changeOfLive(queued, NONE)).contains(queued);
        assertThat(sent.changeOfLive(queued, NONE)).isEmpty();
        assertThat(sent.changeOfLive(leased, NONE)).contains(leased);
        assertThat(sent.changeOfLive(begun, NONE)).contains(begun);
        assertThat(sent.changeOfLive(begun, NONE)).isEmpty();
        Optional<Json> half = Optional.of(new Json("0.5"));
        assertThat(sent.changeOfLive(begun, half)).contains(begun);
        assertThat(sent.changeOfLive(begun, half)).isEmpty();
    }

    @Test
    void sendsAnEndOnceAndNothingAfterIt() {
        Step ended = row(1, "a", JobKind.SCRIPT, StepState.SUCCEEDED);

        assertThat(sent.changeOfHistory(ended)).contains(ended);
        assertThat(sent.changeOfHistory(ended)).isEmpty();
        assertThat(sent.changeOfLive(live(1, StepState.RUNNING, Optional.of(BEGIN)), NONE))
                .isEmpty();
    }

    @Test
    void showsAContainerUnderOneIdFromItsBeginningToItsEnd() {
        Step opening = row(1, new StepKey("loop").opening().text(), JobKind.FOR_EACH, StepState.SUCCEEDED);
        Step end = row(2, "loop", JobKind.FOR_EACH, StepState.SUCCEEDED);

        assertThat(sent.changeOfHistory(opening)).hasValueSatisfying(step -> {
            assertThat(step.key()).isEqualTo("loop");
            assertThat(step.state()).isEqualTo(StepState.RUNNING);
            assertThat(step.times().ended()).isEmpty();
        });
        assertThat(sent.changeOfHistory(end)).hasValueSatisfying(step -> {
            assertThat(step.id()).isEqualTo(opening.id());
            assertThat(step.state()).isEqualTo(StepState.SUCCEEDED);
            assertThat(step.times().ended()).contains(END);
        });
        assertThat(sent.changeOfHistory(opening)).isEmpty();
        assertThat(sent.changeOfHistory(end)).isEmpty();
    }

    private static Step live(long id, StepState state, Optional<Instant> started) {
        Times times = new Times(BEGIN, started, Optional.empty());
        return new Step(id(id), "a", JobKind.SCRIPT, state, 1, Payloads.NONE, Optional.empty(), times, "");
    }

    private static Step row(long id, String key, JobKind kind, StepState state) {
        Times times = new Times(BEGIN, Optional.of(BEGIN), Optional.of(END));
        return new Step(id(id), key, kind, state, 1, Payloads.NONE, Optional.empty(), times, "");
    }

    private static JobId id(long low) {
        return new JobId(new UUID(0x7000, low));
    }
}
