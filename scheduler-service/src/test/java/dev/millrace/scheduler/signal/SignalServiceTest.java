package dev.millrace.scheduler.signal;

import static dev.millrace.scheduler.testing.RunningScheduler.reason;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import dev.millrace.proto.run.v1.Run;
import dev.millrace.proto.signal.v1.AnswerWaitRequest;
import dev.millrace.proto.signal.v1.AnswerWaitRequest.Answer;
import dev.millrace.proto.signal.v1.ListPendingWaitsRequest;
import dev.millrace.proto.signal.v1.ListWaitsRequest;
import dev.millrace.proto.signal.v1.PendingWait;
import dev.millrace.proto.signal.v1.SendSignalRequest;
import dev.millrace.proto.signal.v1.Wait;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class SignalServiceTest extends WaitingRuns {
    private static final String APPROVAL = """
            {approval: ship, required: 2, details: {title: "Ship it?", assignees: [ann, bob],
             form: {type: object, required: [why], properties: {why: {type: string}}}}}
            """;

    @Test
    void endsATimedWaitByItself() {
        Run run = awaitEnd("{for: 50ms}");

        assertThat(run.getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
        assertThat(run.getOutput().toStringUtf8()).isEqualTo("null");
    }

    @Test
    void failsAWaitAtItsTimeLimit() {
        Run run = awaitEnd("{signal: go, timeout: 50ms}");

        assertThat(run.getState()).isEqualTo(Run.State.STATE_FAILED);
        assertThat(run.getError().getName()).isEqualTo("TimedOut");
    }

    @Test
    void sendsASignalByNameAndListsTheWaits() {
        String run = submit("{signal: go}");

        List<Wait> waits = waits(run);
        String step = send(run, "go", "{\"n\": 1}");

        assertThat(waits).singleElement().satisfies(wait -> {
            assertThat(wait.getKind()).isEqualTo(Wait.Kind.KIND_SIGNAL);
            assertThat(wait.getName()).isEqualTo("go");
            assertThat(wait.hasEndTime()).isFalse();
        });
        assertThat(step).isEqualTo("w");
        assertThat(output(run)).isEqualTo("{\"payload\":{\"n\": 1},\"payloads\":[{\"n\": 1}],\"approvers\":[]}");
        assertThat(waits(run)).isEmpty();
        assertThat(reason(failure(() -> send(run, "go", "1")))).isEqualTo("RUN_ENDED");
    }

    @Test
    void acceptsApprovalsOfAssigneesThatMatchTheForm() {
        String run = submit(APPROVAL);

        StatusRuntimeException stranger =
                failure(() -> answer(run, "w", Answer.ANSWER_APPROVE, "eve", "{\"why\":\"x\"}"));
        StatusRuntimeException formless = failure(() -> answer(run, "w", Answer.ANSWER_APPROVE, "ann", "{}"));
        StatusRuntimeException completed =
                failure(() -> answer(run, "w", Answer.ANSWER_COMPLETE, "ann", "{\"why\":\"x\"}"));
        StatusRuntimeException elsewhere =
                failure(() -> answer(run, "x", Answer.ANSWER_APPROVE, "ann", "{\"why\":\"x\"}"));
        answer(run, "", Answer.ANSWER_APPROVE, "ann", "{\"why\":\"a\"}");
        List<String> approvers = waits(run).getFirst().getApproversList();
        answer(run, "", Answer.ANSWER_APPROVE, "bob", "{\"why\":\"b\"}");

        assertThat(reason(stranger)).isEqualTo("NOT_ASSIGNED");
        assertThat(formless)
                .hasMessageContaining("does not fit the form of step \"w\"")
                .hasMessageContaining("why");
        assertThat(reason(completed)).isEqualTo("NOT_WAITING");
        assertThat(elsewhere).hasMessageContaining("These do: w");
        assertThat(approvers).containsExactly("ann");
        assertThat(output(run)).contains("\"approvers\":[\"ann\",\"bob\"]");
    }

    @Test
    void listsTheWaitsForPeopleOfAllRunsPageByPage() {
        String first = submit("{approval: ship, details: {title: First}}");
        submit("{signal: go}");
        String second = submit("{human: price, timeout: 1h}");

        List<PendingWait> listed = pending(first, second);

        assertThat(listed).extracting(PendingWait::getRunId).containsExactly(first, second);
        assertThat(listed).extracting(PendingWait::getRunName).containsOnly("waits");
        assertThat(listed.getFirst().getWait().getDetails().toStringUtf8()).contains("First");
        assertThat(listed.getLast().getWait().hasEndTime()).isTrue();
        answer(first, "w", Answer.ANSWER_APPROVE, "", "1");
        assertThat(pending(first, second)).extracting(PendingWait::getRunId).containsExactly(second);
    }

    /** Reads all pages, of one wait each, and returns what waits in these runs. */
    private static List<PendingWait> pending(String... runs) {
        List<PendingWait> found = new ArrayList<>();
        String token = "";
        do {
            var page = signals()
                    .listPendingWaits(ListPendingWaitsRequest.newBuilder()
                            .setPageSize(1)
                            .setPageToken(token)
                            .build());
            found.addAll(page.getWaitsList());
            token = page.getNextPageToken();
        } while (!token.isEmpty());
        return found.stream()
                .filter(wait -> List.of(runs).contains(wait.getRunId()))
                .toList();
    }

    @Test
    void deniesWithoutAForm() {
        String run = submit(APPROVAL);

        answer(run, "w", Answer.ANSWER_DENY, "bob", "\"too early\"");

        assertThat(run(run).getError().getName()).isEqualTo("Denied");
        assertThat(run(run).getError().getMessage()).contains("by bob").contains("too early");
    }

    @Test
    void completesAHumanTaskWithItsResult() {
        String run = submit("{human: price}");

        answer(run, "", Answer.ANSWER_COMPLETE, "", "42");

        assertThat(output(run)).contains("\"payload\":42");
    }

    @Test
    void requiresNamesIfSeveralPeopleAnswer() {
        String run = submit("{approval: ship, required: 2}");

        assertThat(failure(() -> answer(run, "w", Answer.ANSWER_APPROVE, "", "1")))
                .hasMessageContaining("actor: is missing: step \"w\" waits for 2 people");
    }

    @Test
    void answersARepeatedRequestAsBefore() {
        String run = submit("{approval: ship}");
        AnswerWaitRequest request = AnswerWaitRequest.newBuilder()
                .setRunId(run)
                .setAnswer(Answer.ANSWER_APPROVE)
                .setActor("ann")
                .setPayload(ByteString.copyFromUtf8("1"))
                .setRequestId("r1")
                .build();

        String first = signals().answerWait(request).getStep();
        String again = signals().answerWait(request).getStep();
        StatusRuntimeException other = failure(() -> signals()
                .answerWait(request.toBuilder().setAnswer(Answer.ANSWER_DENY).build()));

        assertThat(List.of(first, again)).containsOnly("w");
        assertThat(reason(other)).isEqualTo("REQUEST_ID_REUSED");
    }

    @Test
    void keepsASignalAndTellsARepetitionWhichStepTookIt() {
        String run = submitSteps("""
                - {id: first, wait: {signal: begin}}
                - {id: w, needs: [first], wait: {signal: go}}
                """);
        SendSignalRequest request = SendSignalRequest.newBuilder()
                .setRunId(run)
                .setName("go")
                .setRequestId("r1")
                .build();

        String kept = signals().sendSignal(request).getStep();
        String took = send(run, "begin", "1");
        String again = signals().sendSignal(request).getStep();

        assertThat(List.of(kept, took, again)).containsExactly("", "first", "w");
        assertThat(run(run).getState()).isEqualTo(Run.State.STATE_SUCCEEDED);
    }

    @Test
    void listsWaitsInPages() {
        String run = submitSteps("""
                - {id: a, wait: {signal: go}}
                - {id: b, needs: [], wait: {signal: go}}
                - {id: c, needs: [], wait: {signal: go}}
                """);
        ListWaitsRequest first =
                ListWaitsRequest.newBuilder().setRunId(run).setPageSize(2).build();

        var page = signals().listWaits(first);
        var rest = signals()
                .listWaits(
                        first.toBuilder().setPageToken(page.getNextPageToken()).build());

        assertThat(page.getWaitsCount()).isEqualTo(2);
        assertThat(rest.getWaitsCount()).isEqualTo(1);
        assertThat(rest.getNextPageToken()).isEmpty();
        assertThat(reason(failure(() -> waits("0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b"))))
                .isEqualTo("RUN_NOT_FOUND");
    }
}
