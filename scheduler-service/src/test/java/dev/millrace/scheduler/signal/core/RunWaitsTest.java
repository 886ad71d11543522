package dev.millrace.scheduler.signal.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.scheduler.flow.core.definition.EventKind;
import dev.millrace.scheduler.flow.core.definition.WaitEnd;
import dev.millrace.scheduler.queue.core.JobId;
import dev.millrace.scheduler.queue.core.Json;
import dev.millrace.scheduler.queue.core.Outcome;
import dev.millrace.scheduler.signal.core.RunSignal.Address;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RunWaitsTest {
    private static final Address EARLY = new Address.StepToCome("w");
    private static final Address NOW = new Address.Step("w");

    private final RunWaits waits = new RunWaits(List.of(), List.of());
    private int ids;

    @Test
    void countsAnEarlyAnswerOfAPersonOnce() {
        waits.receive(answer(EARLY, SignalKind.RESUME, "ann", "1"));
        waits.receive(answer(EARLY, SignalKind.RESUME, "ann", "2"));

        RunWaits.Begun begun = waits.begin(approval(2, "null"));

        assertThat(begun.taken()).extracting(RunSignal::who).containsExactly("ann");
        assertThat(begun.end()).isEmpty();
        assertThat(waits.receive(answer(NOW, SignalKind.RESUME, "bob", "3"))).isInstanceOf(Reception.Ended.class);
    }

    @Test
    void ignoresAnEarlyAnswerThatNobodyCouldValidate() {
        waits.receive(answer(EARLY, SignalKind.RESUME, "ann", "1"));
        waits.receive(answer(EARLY, SignalKind.RESUME, "eve", "1"));

        assertThat(waits.begin(approval(2, "{\"form\": {}}")).taken()).isEmpty();
        assertThat(waits.begin(approval(2, "{\"assignees\": [\"ann\"]}")).taken())
                .extracting(RunSignal::who)
                .containsExactly("ann");
    }

    @Test
    void ignoresAnEarlyAnswerToAWaitForASignal() {
        waits.receive(answer(EARLY, SignalKind.RESUME, "ann", "1"));

        assertThat(waits.begin(wait(EventKind.SIGNAL, 1, "null")).taken()).isEmpty();
    }

    @Test
    void acceptsAnEarlyAnswerAsTheResultOfATask() {
        waits.receive(answer(EARLY, SignalKind.RESUME, "ann", "1"));

        assertThat(waits.begin(wait(EventKind.HUMAN, 1, "null")).end()).isPresent();
    }

    @Test
    void acceptsDenialsThatAreEarlyOrFollowAnApproval() {
        waits.receive(answer(EARLY, SignalKind.DENY, "ann", "null"));
        assertThat(waits.begin(approval(2, "{\"form\": {}}")).end())
                .hasValueSatisfying(end -> assertThat(end).isInstanceOf(Outcome.Failed.class));

        waits.begin(approval(2, "null"));
        waits.receive(answer(NOW, SignalKind.RESUME, "ann", "1"));
        assertThat(waits.receive(answer(NOW, SignalKind.RESUME, "ann", "1"))).isInstanceOf(Reception.Repeated.class);
        assertThat(waits.receive(answer(NOW, SignalKind.DENY, "ann", "1"))).isInstanceOf(Reception.Ended.class);
    }

    @Test
    void sendsBackAnEarlyAnswerWhoseWaitHasBegun() {
        waits.begin(approval(1, "null"));

        assertThat(waits.receive(answer(EARLY, SignalKind.RESUME, "ann", "1"))).isEqualTo(new Reception.Begun());
    }

    @Test
    void limitsTheNumberOfKeptSignals() {
        for (int i = 0; i < RunWaits.KEPT_MAX; i++) {
            assertThat(waits.receive(answer(new Address.Name("go"), SignalKind.RESUME, "", "1")))
                    .isEqualTo(new Reception.Kept());
        }

        assertThat(waits.receive(answer(new Address.Name("go"), SignalKind.RESUME, "", "1")))
                .isEqualTo(new Reception.TooMany());
    }

    @Test
    void limitsTheTotalLengthOfPayloads() {
        String big = "\"" + "x".repeat(RunSignal.PAYLOAD_LENGTH_MAX - 2) + "\"";
        int fits = RunWaits.PAYLOADS_LENGTH_MAX / big.length();
        waits.begin(wait(EventKind.SIGNAL, 1_000, "null"));
        for (int i = 0; i < fits; i++) {
            assertThat(waits.receive(answer(new Address.Name("go"), SignalKind.RESUME, "", big)))
                    .isInstanceOf(Reception.Counted.class);
        }

        assertThat(waits.receive(answer(new Address.Name("go"), SignalKind.RESUME, "", big)))
                .isEqualTo(new Reception.TooMany());
    }

    @Test
    void acceptsNobodyIfTheListOfPeopleIsEmpty() {
        assertThat(approval(1, "{\"assignees\": []}").spec().mayAnswer("ann")).isFalse();
        assertThat(approval(1, "{\"assignees\": \"ann\"}").spec().mayAnswer("ann"))
                .isTrue();
        assertThat(approval(1, "{\"assignees\": \"ann\"}").spec().mayAnswer("bob"))
                .isFalse();
        assertThat(approval(1, "{\"assignees\": null}").spec().mayAnswer("")).isTrue();
    }

    private OpenWait approval(int required, String details) {
        return wait(EventKind.APPROVAL, required, details);
    }

    private OpenWait wait(EventKind kind, int required, String details) {
        return new OpenWait(
                new JobId(new UUID(1, ids++)),
                "w",
                new WaitSpec(kind, "go", required, new Json(details), WaitEnd.FAIL, WaitEnd.FAIL));
    }

    private RunSignal answer(Address address, SignalKind kind, String who, String payload) {
        UUID id = new UUID(2, ids++);
        return new RunSignal(id, address, kind, new Json(payload), who, id.toString());
    }
}
